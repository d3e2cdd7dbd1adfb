import type { Kysely } from 'kysely';
import type { Tables } from '../database/tables.ts';
import { onceCommitted } from '../database/transaction.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ServiceSettings } from '../settings/options.ts';

/** Everything that is recorded: docs/operations.md#what-happened. */
export const auditEvents = [
  'sign-in',
  'second-step',
  'lockout',
  'refresh-reuse',
  'sign-out',
  'identity-check',
  'password-forgotten',
  'password-reset',
  'password-change',
  'activation',
  'password-rehashed',
  'two-step-set',
  'two-step-off',
  'phone-change',
  'link-issued',
  'link-used',
  // By an administrator.
  'account-written',
  'account-imported',
  'accounts-exported',
  'account-erased',
  'account-locked',
  'account-unlocked',
  'account-disabled',
  'account-enabled',
  'sessions-ended',
  'identity-bound',
  'device-trusted',
  'api-keys-revoked',
  'signing-key-rotated',
  'signing-key-revoked',
  'secrets-resealed',
] as const;

export type AuditEvent = (typeof auditEvents)[number];

/** One thing that happened. Never a secret, a token, a code, the id of a link, a name or an address of mail. */
export interface AuditEntry {
  readonly event: AuditEvent;
  /** `pending`: the first step was right, and a second one or a set-up has to follow. */
  readonly outcome: 'success' | 'pending' | 'failure';
  /** `null`: nobody's, or of an unknown username, of which nothing is kept: people enter their password there. */
  readonly uid: string | null;
  /** How: the method of a sign-in, the type of a second factor (`authy`, `mfa`), the kind of a link or of a lockout. */
  readonly method?: string | undefined;
  /** Of a failure the contract's error code; of what is pending the step that follows. */
  readonly reason?: string | undefined;
}

/** Where a call comes from. */
export interface AuditOrigin {
  /** See `networkOf`; `null` for an administrator's command. */
  readonly network: string | null;
  /** What the browser calls itself, cut to a bounded length. */
  readonly device: string | null;
}

/** Records what happens on behalf of one caller. */
export interface Audit {
  /** Where the caller is, for work that is done later on their behalf. */
  readonly origin: AuditOrigin;
  /**
   * Writes an entry into the database and as a line into the log, and counts it.
   *
   * @param db a transaction where there is one: the entry then stays, is logged and counted, if and only if that commits.
   */
  readonly record: (db: Kysely<Tables>, entry: AuditEntry) => Promise<void>;
  /** The same for many accounts in one statement, each with an entry; the log gets one line with their number. */
  readonly recordEach: (db: Kysely<Tables>, event: AuditEvent, uids: readonly string[]) => Promise<void>;
  /** Counts what is no entry: a refusal that says nothing about the caller. @param outcome the code of the refusal. */
  readonly count: (event: AuditEvent, method: string | null, outcome: string) => void;
}

export function createAudit(
  { now, logger }: Pick<ServiceSettings, 'now' | 'logger'>,
  { countEvent }: Pick<Metrics, 'countEvent'>,
  origin: AuditOrigin = { network: null, device: null },
): Audit {
  return {
    origin,
    count: countEvent,
    record: async (db, { event, outcome, uid, method = null, reason = null }) => {
      const facts = { outcome, uid, method, reason, ...origin };
      await db
        .insertInto('audit_log')
        .values({ at: new Date(now()), event, ...facts })
        .execute();
      onceCommitted(db, () => {
        // The name of a log line is its 'event', so the entry's is 'what'.
        const level = event === 'refresh-reuse' ? 'warn' : 'info';
        logger[level]('audit', { what: event, ...facts });
        countEvent(event, method, outcome === 'failure' ? (reason ?? outcome) : outcome);
      });
    },
    recordEach: async (db, event, uids) => {
      if (uids.length === 0) return;
      const facts = { outcome: 'success', method: null, reason: null, ...origin } as const;
      const at = new Date(now());
      await db
        .insertInto('audit_log')
        .values(uids.map((uid) => ({ at, event, uid, ...facts })))
        .execute();
      onceCommitted(db, () => {
        logger.info('audit', { what: event, accounts: uids.length, ...facts });
      });
    },
  };
}
