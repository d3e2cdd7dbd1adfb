import type { AppConfig } from '@vestibule/contract/appConfig';
import type { Command } from 'commander';
import type { Kysely } from 'kysely';
import type { Registry } from 'prom-client';
import type * as v from 'valibot';
import type { AuditEvent, EventKinds } from './core/audit/audit.ts';
import type { Database } from './platform/database/connect.ts';
import type { Migrations } from './platform/database/migrate.ts';
import type { Tables } from './core/database/tables.ts';
import type { Account, AccountPart, Directory, DirectoryParts, UidOf } from './core/directory.ts';
import type { ForeignRoute } from './core/http/foreignRoutes.ts';
import type { Operations } from './core/http/operations.ts';
import type { Finding } from './platform/doctor/findings.ts';
import type { Processes } from './platform/doctor/machineFiles.ts';
import type { Outside } from './platform/doctor/webRequests.ts';
import type { Hooks, Notifier, ServiceContext, Signatures, Slots } from './core/context.ts';
import type { ServiceOptions, ServiceSettings } from './core/settings/options.ts';
import type { ReadVariable } from './platform/settings/variables.ts';

/**
 * A part of the service, in a folder of its own. It adds its tables, audit events and parts of an account to types by
 * `declare module`, and these fields to the running service. Only `capabilities.ts` may name it.
 */
export interface Capability extends Partial<Hooks> {
  /** The name. That of an extension is its name in the contract. */
  readonly name: string;
  readonly init?: InitPart;
  /** The features of the browser (Permissions-Policy) that its screens need. */
  readonly permissions?: readonly string[];
  /** Its calls. An operation records its success, and `recordingRefusal` records its refusals. */
  readonly operations?: Operations;
  readonly migrations?: Migrations;
  readonly auditEvents?: Readonly<Partial<Record<AuditEvent, EventKinds>>>;
  /** The texts of its notices, by their kind. */
  readonly noticeTexts?: Slots['noticeTexts'];
  readonly accountChanges?: Slots['accountChanges'];
  /** The methods that it adds to the directory. */
  readonly directory?: (context: ServiceContext, uidOf: UidOf) => Partial<Directory>;
  /** Makes the function that tells owners about entries of the audit log; `null` if the settings do not require it. */
  readonly notify?: (settings: ServiceSettings) => Notifier | null;
  /** One capability at most has it. */
  readonly signatures?: Signatures;
  readonly mailRequests?: Slots['mailRequests'];
  readonly posts?: Slots['posts'];
  /** The names of its work after responses (`Background.run`), whose failures are counted. */
  readonly works?: readonly string[];
  /** Starts its periodic work. @returns stops it. */
  readonly work?: (context: ServiceContext, tools: WorkTools) => Promise<() => Promise<void>>;
  /** Its part of an account in a file. */
  readonly accountPart?: AccountPart;
  /** Copies its rows about accounts to memory. @returns a function that restores them after the accounts. */
  readonly snapshot?: (db: Kysely<Tables>) => Promise<(trx: Kysely<Tables>) => Promise<void>>;
  /** Its part of the export of a person. */
  readonly exportPerson?: DirectoryParts['exportPerson'];
  /** Makes what its operations need in addition to `ServiceContext`, at the start. */
  readonly decorate?: (base: DecorationBase) => Promise<Partial<ServiceContext>>;
  readonly settings?: SettingsPart;
  /** Its routes outside the contract. */
  readonly routes?: (settings: ServiceSettings) => readonly ForeignRoute[];
  /** Registers its metrics. */
  readonly metrics?: (registry: Registry, context: ServiceContext) => void;
  /** Ends its long calls before the process stops; may be called twice. */
  readonly close?: (context: ServiceContext) => Promise<void>;
  /** Adds commands to the command line. */
  readonly commands?: (program: Command, tools: CommandTools) => void;
  /** Adds commands to `vestibule accounts`. */
  readonly accountCommands?: (accounts: Command, tools: CommandTools) => void;
  /** The same for `vestibule clients`. */
  readonly clientCommands?: (clients: Command, tools: CommandTools) => void;
  readonly doctor?: DoctorPart;
}

/** What `vestibule init` writes about an extension into the file of a deployment. */
export interface InitPart {
  /** What users or operators get, in a few words. */
  readonly summary: string;
  /** Whether a new deployment has it. Otherwise its lines are comments. */
  readonly isOn?: true;
  /** What it needs below `page` and below `service`, in YAML. @param domain that of the cookies. */
  readonly settings?: (
    loginHost: string,
    domain: string,
  ) => { readonly page?: string; readonly service?: string };
}

/** The parts that exist before the context of the operations. */
type DecorationBase = Pick<ServiceContext, 'db' | 'settings' | 'slots'> &
  Pick<Database<Tables>, 'listen'> & {
    /** The context, for what runs later. */
    readonly contextLater: () => ServiceContext;
  };

/** What periodic work needs besides the context. */
export interface WorkTools extends Pick<Database<Tables>, 'listen'> {
  /** Counts a failure, by the name of the work. @param times 0 to count from zero. */
  readonly onFailure: (work: string, times?: number) => void;
}

/** The settings of a capability, which it adds to `ServiceSettings`. */
export interface SettingsPart {
  readonly defaults?: Partial<ServiceSettings>;
  /** Reads its variables of the environment. An option that is `undefined` is not set. */
  readonly read: (
    read: ReadVariable,
    given: Readonly<Record<string, string | undefined>>,
  ) => {
    readonly [Key in keyof ServiceSettings]?: ServiceSettings[Key] | undefined;
  };
  /** Rejects settings that put secrets at risk. */
  readonly check?: (settings: ServiceSettings) => void;
  /** What it adds to the schema of `deployment.yaml`. */
  readonly deployment?: {
    /** The keys below `service`. */
    readonly keys?: v.ObjectEntries;
    /** Keys of the file, with their part, that are for this extension, or for it and others that name them too. */
    readonly ownKeys?: readonly string[];
    /** The variables that follow from other parts of the file. */
    readonly names: readonly string[];
    readonly variables: (
      page: AppConfig,
      service: Readonly<Record<string, unknown>>,
    ) => Readonly<Record<string, string>>;
    /** JSON files that the hosts of the page serve, by path. */
    readonly files?: (page: AppConfig) => Readonly<Record<string, string>>;
  };
}

/** The checks that a capability adds to `vestibule doctor`. */
interface DoctorPart {
  /** Checks a service that offers the extension, from outside. @param base its address. */
  readonly service?: (outside: Outside, page: AppConfig, base: string) => Promise<readonly Finding[]>;
  /** Checks what only machines of the deployment can read. @param now ms since 1970. */
  readonly machines?: (processes: Processes, now: number) => Promise<readonly Finding[]>;
}

/** The functions with which capabilities make commands. */
export interface CommandTools {
  /** Reads the options from the environment. */
  readonly options: () => ServiceOptions;
  /** Prints one JSON value per line. */
  readonly print: (value: unknown) => void;
  /** Runs work on the database of the environment. */
  readonly withDirectory: (work: (directory: Directory) => Promise<void>) => Promise<void>;
  /** Finds an account by its username or its uid. @throws CommandError if there is no such account. */
  readonly find: (directory: Directory, name: string) => Promise<Account>;
  /** Adds a command that prints a line of JSON for each entry of an account. */
  readonly list: (
    accounts: Command,
    name: string,
    description: string,
    read: (directory: Directory, username: string) => Promise<readonly object[]>,
  ) => void;
}
