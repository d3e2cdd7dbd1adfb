import type { ActivityEvent, ActivityResponse } from '@vestibule/contract/schema';
import type { Kysely } from 'kysely';
import type { AuditRow, Tables } from '../database/tables.ts';
import { requestRefused } from '../errors.ts';
import type { ServiceSettings } from '../settings/options.ts';
import type { AuditEvent } from './audit.ts';
import { clientDetailsOf } from './clientDetails.ts';

/** The successes that the owner of an account is shown. */
const shown = {
  'sign-in': 'signed-in',
  'password-reset': 'password-changed',
  'password-change': 'password-changed',
  activation: 'password-changed',
  'two-step-set': 'mfa-changed',
  'two-step-off': 'mfa-changed',
  'two-step-reset': 'mfa-changed',
  'phone-change': 'mfa-changed',
  'passkey-added': 'passkey-added',
  'passkey-removed': 'passkey-removed',
  'recovery-code-used': 'recovery-code-used',
  'account-locked': 'locked',
  'account-disabled': 'locked',
  'sign-out': 'session-ended',
  'sessions-ended': 'session-ended',
} as const satisfies Partial<Record<AuditEvent, string>>;

/** The failures. */
const shownFailures = {
  'sign-in': 'sign-in-failed',
  'second-step': 'sign-in-failed',
  lockout: 'locked',
  'refresh-reuse': 'session-ended',
} as const satisfies Partial<Record<AuditEvent, string>>;

const pageSize = 20;
const dayMs = 86_400_000;

/**
 * `GET /auth/v1/activity`, of the extension `sessions`: the audit log of an account, as its owner reads it.
 *
 * @param before the id of the last event of the page before.
 * @throws ServiceError 400 `invalid_request` if no event can have this id.
 */
export async function listActivity(
  { db, settings }: { readonly db: Kysely<Tables>; readonly settings: Pick<ServiceSettings, 'now'> },
  uid: string,
  before?: string,
): Promise<ActivityResponse> {
  if (before !== undefined && !/^\d{1,18}$/.test(before)) throw requestRefused();
  const entries = db
    .selectFrom('audit_log')
    .selectAll()
    .where('uid', '=', uid)
    .where('at', '>', new Date(settings.now() - 90 * dayMs))
    .where((eb) =>
      eb.or([
        eb.and([eb('outcome', '=', 'success'), eb('event', 'in', Object.keys(shown))]),
        eb.and([eb('outcome', '=', 'failure'), eb('event', 'in', Object.keys(shownFailures))]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(pageSize + 1);
  const rows = await (before === undefined ? entries : entries.where('id', '<', before)).execute();
  return { events: rows.slice(0, pageSize).map(eventOf), more: rows.length > pageSize };
}

function eventOf({ id, at, event, outcome, method, network, device }: AuditRow): ActivityEvent {
  const kinds: Readonly<Record<string, string>> = outcome === 'failure' ? shownFailures : shown;
  const isSignIn = event === 'sign-in';
  return {
    id,
    at: at.toISOString(),
    kind: kinds[event] ?? event,
    method: isSignIn ? (method === 'magiclink' ? 'link' : method) : null,
    ...clientDetailsOf({ network, device }),
  };
}
