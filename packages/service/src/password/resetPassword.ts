import type { DoneResponse, PasswordResetRequest } from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import { noteLanguage } from '../accounts/noteLanguage.ts';
import { linkRefused } from '../core/errors.ts';
import { findOpenLink, takeLink } from '../links/links.ts';
import type { ServiceContext } from '../core/context.ts';
import { passwordEvents } from './events.ts';
import { offersPassword } from './offersPassword.ts';
import { checkNewPassword } from './passwordRules.ts';
import { afterPasswordReplaced, replacePassword } from './savePassword.ts';

/**
 * `POST /password-reset/v1/password-reset`. A refused password does not consume the link. The present password is
 * accepted: refusing it would reveal it to the holder of the link.
 *
 * @throws ServiceError 400 `password_mismatch`, `password_rules`; 422 `password_breached`, `password_guessable`; 401 `invalid_link`.
 */
export async function resetPassword(
  context: ServiceContext,
  { password, confirm, hash }: PasswordResetRequest,
): Promise<DoneResponse> {
  const { db, passwords } = context;
  const uid = (await findOpenLink(context, hash, 'reset-password'))?.uid ?? null;
  await checkNewPassword(context, { uid }, password, confirm);
  if (uid === null) throw linkRefused(401);

  // The hash is made before the transaction, because it is slow and the embedded database has one connection.
  const passwordHash = await passwords.hash(password);
  const replaced = await withUserLocked(db, uid, async (trx, present) => {
    const taken = await takeLink({ ...context, db: trx }, hash, 'reset-password');
    if (taken === null || !(await offersPassword(trx, present.uid))) throw linkRefused(401);
    await context.audit.record(trx, { event: passwordEvents['password-reset'], outcome: 'success', uid });
    await context.slots.afterPasswordReset({ ...context, db: trx }, uid);
    const replaced = await replacePassword({ ...context, db: trx }, present, passwordHash);
    await noteLanguage(trx, uid, context.language);
    return replaced;
  });
  if (replaced === null) throw linkRefused(401);
  await afterPasswordReplaced(context, replaced);
  return {};
}
