import type { ActivityEvent, ActivityResponse } from '@vestibule/contract/schema';
import { sessionEvents } from '../session/events.ts';
import type { AuditRow } from '../core/database/tables.ts';
import { requestRefused } from '../platform/errors.ts';
import type { ServiceContext } from '../core/context.ts';
import type { AuditEvent } from '../core/audit/audit.ts';
import { clientDetailsOf } from '../core/audit/clientDetails.ts';

const pageSize = 20;
const dayMs = 86_400_000;

/**
 * `GET /auth/v1/activity`, of the extension `sessions`: the audit log of an account, as its owner reads it.
 *
 * @param before the id of the last event of the page before.
 * @throws ServiceError 400 `invalid_request` if no event can have this id.
 */
export async function listActivity(
  context: ServiceContext,
  uid: string,
  before?: string,
): Promise<ActivityResponse> {
  const { db, settings, slots } = context;
  if (before !== undefined && !/^\d{1,18}$/.test(before)) throw requestRefused();
  const { auditEvents } = slots;
  const events = Object.values(auditEvents);
  const shown = events.flatMap(({ name, activity }) => (activity === undefined ? [] : name));
  const shownFailures = events.flatMap(({ name, activityOfFailure }) =>
    activityOfFailure === undefined ? [] : name,
  );
  const entries = db
    .selectFrom('audit_log')
    .selectAll()
    .where('uid', '=', uid)
    .where('at', '>', new Date(settings.now() - 90 * dayMs))
    .where((eb) =>
      eb.or([
        eb.and([eb('outcome', '=', 'success'), eb('event', 'in', shown)]),
        eb.and([eb('outcome', '=', 'failure'), eb('event', 'in', shownFailures)]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(pageSize + 1);
  const rows = await (before === undefined ? entries : entries.where('id', '<', before)).execute();
  const page = rows.slice(0, pageSize);
  const details = await slots.activityDetails(context, page);
  return {
    events: page.map((row) => ({ ...details[row.id], ...eventOf(row, auditEvents[row.event]) })),
    more: rows.length > pageSize,
  };
}

function eventOf(
  { id, at, event, outcome, method, network, device }: AuditRow,
  shown: AuditEvent | undefined,
): ActivityEvent {
  const isSignIn = event === sessionEvents['sign-in'].name;
  return {
    id,
    at: at.toISOString(),
    kind: (outcome === 'failure' ? shown?.activityOfFailure : shown?.activity) ?? event,
    method: isSignIn ? (method === 'magiclink' ? 'link' : method) : null,
    ...clientDetailsOf({ network, device }),
  };
}
