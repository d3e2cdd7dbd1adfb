import { clientDetailsOf } from '../platform/audit/clientDetails.ts';
import type { MessageContext } from '../platform/serviceContext.ts';
import type { StartedSecondStep } from './mailRequests.ts';
import { writeNotice } from './writeNotice.ts';

/**
 * Asks the owner about a challenge that was not passed, unless somebody has since signed in from the same network: that was probably
 * the owner, who tried again.
 */
export async function writeMissedSecondStep(
  context: MessageContext,
  { uid, at, until, origin }: StartedSecondStep,
): Promise<void> {
  const { db } = context;
  // Of several challenges that end at the same time, only one causes a mail.
  await db.selectFrom('users').select('uid').where('uid', '=', uid).forNoKeyUpdate().execute();
  const signIns = await db
    .selectFrom('audit_log')
    .select('network')
    .where('uid', '=', uid)
    .where('event', '=', 'sign-in')
    .where('outcome', '=', 'success')
    .where('at', '>=', new Date(at))
    .where('at', '<=', new Date(until))
    .execute();
  const networkOf = (network: string | null) => clientDetailsOf({ network, device: null }).network;
  if (signIns.some(({ network }) => networkOf(network) === networkOf(origin.network))) return;
  await writeNotice(context, { kind: 'second-step-missed', uid, at }, origin);
}
