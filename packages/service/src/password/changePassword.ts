import type { DoneResponse, PasswordChangeRequest } from '@vestibule/contract/schema';
import { findByUid } from '../accounts/accounts.ts';
import { withUserLocked } from '../accounts/lockUser.ts';
import type { UserRow } from '../core/database/tables.ts';
import { usernameKey } from '../core/database/usernameKey.ts';
import { identityRefused, sessionEnded } from '../core/errors.ts';
import { Refusal } from '../platform/errors.ts';
import { proveOwnPassword } from '../identity/verifyIdentity.ts';
import type { Bearer } from '../core/keys/signedTokens.ts';
import type { ServiceContext } from '../core/context.ts';
import { sessionBearer } from '../session/readBearer.ts';
import { passwordEvents } from './events.ts';
import { checkNewPassword } from './passwordRules.ts';
import { afterPasswordReplaced, replacePassword } from './savePassword.ts';
import { passwordTexts } from './password.messages.ts';

/**
 * `POST /password-reset/v1/password-reset-manual`. Wrong old passwords lock the session (see `proveOwnPassword`). All
 * sessions of the user end, including the bearer's, so that no copy of its tokens outlives the change: the
 * application asks the user to sign in again (docs/behaviour.md#after-a-saved-password).
 *
 * @throws ServiceError 400 `password_mismatch`, `password_rules`; 401 for a wrong old password; 403 for another user's name; 422
 * `password_breached`, `password_guessable`; 429 while the session is locked.
 */
export async function changePassword(
  context: ServiceContext,
  anyBearer: Bearer,
  { newPassword, confirmPassword, oldPassword, username }: PasswordChangeRequest,
): Promise<DoneResponse> {
  const { db, passwords } = context;
  const bearer = sessionBearer(anyBearer);
  const { uid } = bearer;
  const account = await findByUid(db, uid);
  if (account === null) throw sessionEnded('unauthorized');
  if (!isNameOf(account.user, username)) {
    throw new Refusal(403, 'forbidden', passwordTexts.onlyOwn);
  }
  await checkNewPassword(context, { uid }, newPassword, confirmPassword);
  await proveOwnPassword(context, bearer, account, oldPassword);

  const passwordHash = await passwords.hash(newPassword);
  const replaced = await withUserLocked(db, uid, async (trx, present) => {
    // Of two concurrent changes, the second has an outdated old password.
    if (present.password_hash !== account.user.password_hash) throw identityRefused();
    await context.audit.record(trx, { event: passwordEvents['password-change'], outcome: 'success', uid });
    return replacePassword({ ...context, db: trx }, present, passwordHash);
  });
  if (replaced === null) throw sessionEnded('unauthorized');
  await afterPasswordReplaced(context, replaced);
  return {};
}

/** The application sends the e-mail address; other clients may send the username. */
function isNameOf(user: UserRow, name: string): boolean {
  return [user.username, user.email].some((own) => usernameKey(own) === usernameKey(name));
}
