import type { Kysely } from 'kysely';
import type { AuditEvent, EventKinds } from './audit/audit.ts';
import type { Migrations } from './database/migrate.ts';
import type { Tables } from './database/tables.ts';
import type { AccountPart, PersonExport } from './directory.ts';
import type { Handlers, OperationId } from './http/operations.ts';
import type { CallContext, Slots } from './serviceContext.ts';

/** Carries out a call. Throws `ServiceError` for a failure that is reported to the caller. */
export type Operation<Id extends OperationId> = (
  context: CallContext,
  ...call: Parameters<Handlers[Id]>
) => ReturnType<Handlers[Id]>;

/**
 * A part of the service, in a folder of its own. It adds its tables, audit events and parts of an account to the types of
 * others (`declare module`), and what follows to the running service. Nothing else may name it but `capabilities.ts`.
 */
export interface Capability extends Partial<Pick<Slots, 'afterDenial'>> {
  /** Of an extension: its name in the contract. */
  readonly name: string;
  /** Successes are recorded by the operation, refusals by `recordingRefusal`. */
  readonly operations?: { readonly [Id in OperationId]?: Operation<Id> };
  readonly migrations?: Migrations;
  readonly auditEvents?: Readonly<Partial<Record<AuditEvent, EventKinds>>>;
  /** The texts of its notices, by their kind. */
  readonly noticeTexts?: Slots['noticeTexts'];
  readonly accountChanges?: Slots['accountChanges'];
  /** What an account in a file holds of it. */
  readonly accountPart?: AccountPart;
  /** What the export of a person holds of it. */
  readonly exportPerson?: (db: Kysely<Tables>, uid: string) => Promise<Partial<PersonExport>>;
}
