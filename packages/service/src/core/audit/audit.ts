import type { Kysely } from 'kysely';
import type { Text } from '../../platform/texts/texts.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction, onceCommitted } from '../../platform/database/transaction.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import type { ServiceSettings } from '../settings/options.ts';

/** The properties of an audit event: mainly, what the owner of the account learns about it. */
interface EventFacts {
  /** Whether it is logged as a warning. */
  readonly isWarning?: true;
  /** Whether its method is the id of a client. */
  readonly isOfClient?: true;
  /** The kinds of a success and of a failure in the list of activity. */
  readonly activity?: string;
  readonly activityOfFailure?: string;
  /** The notices about a success and about a failure. */
  readonly notice?: string;
  readonly noticeOfFailure?: string;
  /**
   * The methods of each outcome that are counted from 0 on, so that `increase()` shows the first one: an alert depends on it. Default: a
   * success without a method.
   */
  readonly countedFromZero?: Readonly<Record<string, readonly string[]>>;
}

/** Subject of a notice, and the sentence about the event, which the username follows. */
export interface NoticeText {
  readonly subject: Text;
  readonly sentence: Text;
}

/** An event that is recorded: docs/operations.md#what-happened. */
export interface AuditEvent extends EventFacts {
  readonly name: string;
}

/** Defines the events of a capability by their names. */
export const defineEvents = <Name extends string>(
  facts: Readonly<Record<Name, EventFacts>>,
): Readonly<Record<Name, AuditEvent>> =>
  Object.fromEntries(
    Object.entries<EventFacts>(facts).map(([name, one]) => [name, { name, ...one }]),
  ) as Record<Name, AuditEvent>;

/**
 * One entry of the audit log. Never contains a secret, a token, a code, the id of a link, a name, an e-mail address or
 * an amount.
 */
export interface AuditEntry {
  readonly event: AuditEvent;
  /** `pending`: the first step succeeded, and a second step or an enrolment must follow. */
  readonly outcome: 'success' | 'pending' | 'failure';
  /**
   * `null`: no account, or an unknown username. That is not recorded, because users enter passwords there by mistake.
   */
  readonly uid: string | null;
  /** The session that a sign-in started; not recorded. */
  readonly sessionId?: string;
  /** The method of a sign-in, the type of a second factor (`authy`, `mfa`), or the kind of a link or lockout. */
  readonly method?: string | undefined;
  /** The passkey or phone that was added, for the mail about it: see `Hooks.mailSent`. Not recorded. */
  readonly about?: string;
  /** For a failure the contract's error code; for `pending` the next step. */
  readonly reason?: string | undefined;
  /** Further facts of a capability, such as ids. They are removed when the account is erased. */
  readonly details?: Readonly<Record<string, string>> | undefined;
  /** A sentence that the notice about the entry has besides its own; not recorded. */
  readonly told?: Text;
}

/** Where a call comes from. */
export interface AuditOrigin {
  /** See `networkOf`; `null` for a command of an administrator. */
  readonly network: string | null;
  /** The `User-Agent`, truncated. */
  readonly device: string | null;
}

/** Records events on behalf of one caller. */
export interface Audit {
  /** The caller's network and device, for later work on their behalf. */
  readonly origin: AuditOrigin;
  /** Whether the owner of the account gets a notice about an entry that has one. */
  readonly tellsOwner: boolean;
  /**
   * Writes an entry into the database and the log, and counts it.
   *
   * @param db a transaction, if there is one: the entry is written, logged and counted only if it commits.
   */
  readonly record: (db: Kysely<Tables>, entry: AuditEntry) => Promise<void>;
  /** As `record`, for many accounts in one statement, with an entry for each. The log gets one line with their number. */
  readonly recordEach: (db: Kysely<Tables>, event: AuditEvent, uids: readonly string[]) => Promise<void>;
  /**
   * Counts a refusal that is not recorded, because it says nothing about the caller. @param outcome the code of the
   * refusal.
   */
  readonly count: (event: AuditEvent, method: string | null, outcome: string) => void;
}

/** Sends the owner of the account a notice about an entry, in the transaction of the entry. */
export type Notify = (trx: Kysely<Tables>, entry: AuditEntry, origin: AuditOrigin) => Promise<void>;

export function createAudit(
  settings: Pick<ServiceSettings, 'now' | 'logger' | 'administrator'>,
  { countEvent }: Pick<Metrics, 'countEvent'>,
  origin: AuditOrigin = { network: null, device: null },
  notify?: Notify,
): Audit {
  const { now, logger, administrator = null } = settings;
  return {
    origin,
    tellsOwner: notify !== undefined,
    count: ({ name }, method, outcome) => {
      countEvent(name, method, outcome);
    },
    record: async (db, entry) => {
      const { event, outcome, uid, method = null, reason = null, details } = entry;
      const facts = { outcome, uid, method, reason, ...origin, administrator };
      const write = async (trx: Kysely<Tables>): Promise<void> => {
        await trx
          .insertInto('audit_log')
          .values({
            at: new Date(now()),
            event: event.name,
            ...facts,
            details: details && JSON.stringify(details),
          })
          .execute();
        onceCommitted(trx, () => {
          // The field is `what`, because `event` is the name of the log line.
          const level = event.isWarning === true ? 'warn' : 'info';
          logger[level]('audit', { ...details, what: event.name, ...facts });
          countEvent(event.name, method, outcome === 'failure' ? (reason ?? outcome) : outcome);
        });
      };
      if (notify === undefined) return write(db);
      const writeBoth = async (trx: Kysely<Tables>): Promise<void> => {
        await write(trx);
        await notify(trx, entry, origin);
      };
      return db.isTransaction ? writeBoth(db) : inTransaction(db, writeBoth);
    },
    recordEach: async (db, event, uids) => {
      if (uids.length === 0) return;
      const facts = {
        outcome: 'success',
        method: null,
        reason: null,
        ...origin,
        administrator,
      } as const;
      const at = new Date(now());
      await db
        .insertInto('audit_log')
        .values(uids.map((uid) => ({ at, event: event.name, uid, ...facts })))
        .execute();
      onceCommitted(db, () => {
        logger.info('audit', { what: event.name, accounts: uids.length, ...facts });
      });
    },
  };
}
