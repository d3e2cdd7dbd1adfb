import type { UserResponse } from '@vestibule/contract/schema';
import { sessionEnded } from '../core/errors.ts';
import { Refusal } from '../platform/errors.ts';
import type { Bearer } from '../core/keys/signedTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import type { TwoStepMethod } from '../core/database/twoStepMethod.ts';
import { errorTexts } from '../core/errors.messages.ts';
import { findByUid } from './accounts.ts';

/**
 * `GET /user-management/v1/users/{uid}`: the bearer's own account.
 *
 * @throws ServiceError 403 for any other uid, existing or not.
 */
export async function userAttributes(
  context: ServiceContext,
  bearer: Bearer,
  uid: string,
): Promise<UserResponse> {
  const { db, slots } = context;
  if (uid !== bearer.uid) throw new Refusal(403, 'forbidden', errorTexts.onlyOwnAccount);
  // The version is read before the account, so that a change between the two reads is noticed.
  const more = await slots.userAttributes(context, uid);
  const account = await findByUid(db, uid);
  if (account === null) throw sessionEnded('unauthorized');
  const isOn = (method: TwoStepMethod): boolean => account.factors.some((factor) => factor.method === method);
  return {
    ...more,
    data: {
      attributes: {
        email: account.user.email,
        authyActive: isOn('text'),
        twoFactorActive: isOn('app'),
        lastReset: account.user.password_changed_at?.toISOString() ?? null,
      },
    },
  };
}
