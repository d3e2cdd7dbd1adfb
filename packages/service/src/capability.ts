import type { AppConfig } from '@vestibule/contract/appConfig';
import type { Check, Send } from '@vestibule/contract/conformance/checks';
import type { Operation } from '@vestibule/contract/document';
import type { ContractChecker } from '@vestibule/contract/responseValidation';
import type { Command } from 'commander';
import type { Kysely } from 'kysely';
import type { Registry } from 'prom-client';
import type * as v from 'valibot';
import type { AuditEvent, EventKinds } from './audit/audit.ts';
import type { Database } from './database/connect.ts';
import type { Migrations } from './database/migrate.ts';
import type { Tables } from './database/tables.ts';
import type { AccountPart, PersonExport } from './directory.ts';
import type { Handlers, OperationId } from './http/operations.ts';
import type { Finding } from './doctor/findings.ts';
import type { Processes } from './doctor/machineFiles.ts';
import type { CallContext, ServiceContext, Slots } from './serviceContext.ts';
import type { ServiceOptions, ServiceSettings } from './settings/options.ts';
import type { ReadVariable } from './settings/variables.ts';

/** Carries out a call. Throws `ServiceError` for a failure that is reported to the caller. */
export type OperationOf<Id extends OperationId> = (
  context: CallContext,
  ...call: Parameters<Handlers[Id]>
) => ReturnType<Handlers[Id]>;

/**
 * A part of the service, in a folder of its own. It adds its tables, audit events and parts of an account to the types of
 * others (`declare module`), and what follows to the running service. Nothing else may name it but `capabilities.ts`.
 */
export interface Capability extends Partial<
  Pick<Slots, 'afterDenial' | 'checkNewPassword' | 'afterPasswordProof'>
> {
  /** Of an extension: its name in the contract. */
  readonly name: string;
  /** Successes are recorded by the operation, refusals by `recordingRefusal`. */
  readonly operations?: { readonly [Id in OperationId]?: OperationOf<Id> };
  readonly migrations?: Migrations;
  readonly auditEvents?: Readonly<Partial<Record<AuditEvent, EventKinds>>>;
  /** The texts of its notices, by their kind. */
  readonly noticeTexts?: Slots['noticeTexts'];
  readonly accountChanges?: Slots['accountChanges'];
  /** What an account in a file holds of it. */
  readonly accountPart?: AccountPart;
  /** What the export of a person holds of it. */
  readonly exportPerson?: (db: Kysely<Tables>, uid: string) => Promise<Partial<PersonExport>>;
  /** What the account of a user holds of it in `getUser`; read before the account. */
  readonly userAttributes?: Slots['userAttributes'];
  /** What its operations need of the running service, made at the start. */
  readonly decorate?: (base: DecorationBase) => Promise<Partial<ServiceContext>>;
  readonly settings?: SettingsPart;
  /** Registers its metrics. */
  readonly metrics?: (registry: Registry, context: ServiceContext) => void;
  /** Ends its long calls before the process stops; may be called twice. */
  readonly close?: (context: ServiceContext) => Promise<void>;
  /** Adds commands to the command line. */
  readonly commands?: (program: Command, tools: CommandTools) => void;
  readonly doctor?: DoctorPart;
}

/** What exists before the context of the operations. */
export type DecorationBase = Pick<ServiceContext, 'db' | 'settings' | 'slots'> & Pick<Database, 'listen'>;

/** The settings of a capability, which it adds to `ServiceSettings`. */
export interface SettingsPart {
  readonly defaults?: Partial<ServiceSettings>;
  /** Reads its variables of the environment. An option that is `undefined` is not set. */
  readonly read: (read: ReadVariable) => {
    readonly [Key in keyof ServiceSettings]?: ServiceSettings[Key] | undefined;
  };
  /** What it adds to the file of a deployment. */
  readonly deployment?: {
    /** Keys below `service`. */
    readonly keys?: v.ObjectEntries;
    /** Variables that follow from the rest of the file. */
    readonly names: readonly string[];
    readonly variables: (
      page: AppConfig,
      service: Readonly<Record<string, unknown>>,
    ) => Readonly<Record<string, string>>;
  };
}

/** Parts of `vestibule doctor`. */
interface DoctorPart {
  /** Checks what only machines of the deployment can read. @param now ms since 1970. */
  readonly machines?: (processes: Processes, now: number) => Promise<readonly Finding[]>;
  /** Further rules of the contract that a deployed service must follow. */
  readonly contract?: (
    operations: readonly Operation[],
    checker: ContractChecker,
    send: Send,
  ) => readonly Check[];
}

/** What commands are made of. */
export interface CommandTools {
  /** The options in the environment. */
  readonly options: () => ServiceOptions;
  /** Prints one JSON value per line. */
  readonly print: (value: unknown) => void;
}
