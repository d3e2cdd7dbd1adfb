import type { AppConfig } from '@vestibule/contract/appConfig';
import type { Command } from 'commander';
import type { Kysely } from 'kysely';
import type { Registry } from 'prom-client';
import type * as v from 'valibot';
import type { AuditEvent } from './core/audit/audit.ts';
import type { Database } from './platform/database/connect.ts';
import type { Migrations } from './platform/database/migrate.ts';
import type { Tables } from './core/database/tables.ts';
import type {
  Account,
  AccountDirectory,
  AccountPart,
  CoreDirectory,
  DirectoryParts,
  UidOf,
} from './core/directory.ts';
import type { ForeignRoute } from './core/http/foreignRoutes.ts';
import type { Operations } from './core/http/operations.ts';
import type { Finding } from './platform/doctor/findings.ts';
import type { Processes } from './platform/doctor/machineFiles.ts';
import type { Outside } from './platform/doctor/webRequests.ts';
import type {
  Hooks,
  MailRequest,
  Notifier,
  Post,
  ServiceContext,
  Signatures,
  Slots,
} from './core/context.ts';
import type { OptionsOf, ServiceSettings } from './core/settings/options.ts';
import type { ReadVariable } from './platform/settings/variables.ts';

/**
 * A part of the service, in a folder of its own. `slots.ts` derives the types of the service from the list in `capabilities.ts`, which is
 * the only module that may name a capability.
 *
 * @typeParam Context the context of its functions, with what it adds.
 * @typeParam Added the objects that it adds to the directory.
 */
export interface Capability<
  Context extends ServiceContext = ServiceContext,
  Added extends object = object,
> extends Partial<Hooks<Context>> {
  /** The name. That of an extension is its name in the contract. */
  readonly name: string;
  readonly init?: InitPart;
  /** The features of the browser (Permissions-Policy) that its screens need. */
  readonly permissions?: readonly string[];
  /** Its calls. An operation records its success, and `recordingRefusal` records its refusals. */
  readonly operations?: Operations<Context>;
  readonly migrations?: Migrations;
  readonly auditEvents?: Readonly<Record<string, AuditEvent>>;
  /** The texts of its notices, by their kind. */
  readonly noticeTexts?: Slots['noticeTexts'];
  readonly accountChanges?: Slots['accountChanges'];
  /** The object that it adds to the directory. */
  readonly directory?: (context: Context, uidOf: UidOf) => Added;
  /** Makes the function that tells owners about entries of the audit log; `null` if the settings do not require it. */
  readonly notify?: (settings: Context['settings']) => Notifier<Context> | null;
  /** One capability at most has it. */
  readonly signatures?: Signatures<Context>;
  readonly mailRequests?: readonly MailRequest<never, Context>[];
  readonly posts?: readonly Post<never, Context>[];
  /** The names of its work after responses (`Background.run`), whose failures are counted. */
  readonly works?: readonly string[];
  /** Starts its periodic work. @returns stops it. */
  readonly work?: (context: Context, tools: WorkTools) => Promise<() => Promise<void>>;
  /** Its part of an account in a file. */
  readonly accountPart?: AccountPart<never, object>;
  /** Copies its rows about accounts to memory. @returns a function that restores them after the accounts. */
  readonly snapshot?: (db: Kysely<Tables>) => Promise<(trx: Kysely<Tables>) => Promise<void>>;
  /** Its part of the export of a person. */
  readonly exportPerson?: DirectoryParts['exportPerson'];
  /** Makes what its operations need in addition to `ServiceContext`, at the start. */
  readonly decorate?: (base: DecorationBase<Context>) => Promise<object>;
  readonly settings?: SettingsPart<Context['settings']>;
  /** Its routes outside the contract. */
  readonly routes?: (settings: Context['settings']) => readonly ForeignRoute<Context>[];
  /** Registers its metrics. */
  readonly metrics?: (registry: Registry, context: Context) => void;
  /** Ends its long calls before the process stops; may be called twice. */
  readonly close?: (context: Context) => Promise<void>;
  /** Adds commands to the command line. */
  readonly commands?: (program: Command, tools: CommandTools<Context['settings'], Added>) => void;
  /** Adds commands to `vestibule accounts`. */
  readonly accountCommands?: (accounts: Command, tools: CommandTools<Context['settings'], Added>) => void;
  /** The same for `vestibule clients`. */
  readonly clientCommands?: (clients: Command, tools: CommandTools<Context['settings'], Added>) => void;
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

/**
 * The parts of the context that exist before the operations get it.
 *
 * @public
 */
export interface DecorationBase<Context extends ServiceContext> extends Pick<Database<Tables>, 'listen'> {
  readonly db: Context['db'];
  readonly settings: Context['settings'];
  readonly slots: Slots;
  /** Returns the complete context, for work that runs later. */
  readonly contextLater: () => Context;
}

/** What periodic work needs besides the context. */
export interface WorkTools extends Pick<Database<Tables>, 'listen'> {
  /** Counts a failure, by the name of the work. @param times 0 to count from zero. */
  readonly onFailure: (work: string, times?: number) => void;
}

/** The settings that a capability adds. @typeParam Settings the settings of the service with those of the capability. */
export interface SettingsPart<Settings extends ServiceSettings> {
  readonly defaults?: Partial<Settings>;
  /** Reads its variables of the environment. An option that is `undefined` is not set. */
  readonly read: (
    read: ReadVariable,
    given: Readonly<Record<string, string | undefined>>,
  ) => {
    readonly [Key in keyof Settings]?: Settings[Key] | undefined;
  };
  /** Rejects settings that put secrets at risk. */
  readonly check?: (settings: Settings) => void;
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
export interface CommandTools<Settings extends ServiceSettings = ServiceSettings, Added = unknown> {
  /** Reads the options from the environment. */
  readonly options: () => OptionsOf<Settings>;
  /** Prints one JSON value per line. */
  readonly print: (value: unknown) => void;
  /** Runs work on the database of the environment. */
  readonly withDirectory: (work: (directory: CoreDirectory & Added) => Promise<void>) => Promise<void>;
  /** Finds an account by its username or its uid. @throws CommandError if there is no such account. */
  readonly find: (accounts: AccountDirectory, name: string) => Promise<Account>;
  /** Adds a command that prints a line of JSON for each entry of an account. */
  readonly list: (
    accounts: Command,
    name: string,
    description: string,
    read: (directory: CoreDirectory & Added, username: string) => Promise<readonly object[]>,
  ) => void;
}
