import type { ActivateRequest, DoneResponse } from '@vestibule/contract/schema';
import { withUserLocked } from '../accounts/lockUser.ts';
import { noteLanguage } from '../accounts/noteLanguage.ts';
import { linkRefused } from '../core/errors.ts';
import { ServiceError } from '../platform/errors.ts';
import { passwordScope } from '../core/limits/attemptKeys.ts';
import { findOpenLink, takeLink } from '../links/links.ts';
import type { ServiceContext } from '../core/context.ts';
import { passwordEvents } from './events.ts';
import { offersPassword } from './offersPassword.ts';
import { checkNewPassword } from './passwordRules.ts';
import { passwordTexts } from './password.messages.ts';

/**
 * `POST /password-reset/v1/activate`: sets the names and the first password of an invited user. `lastReset` stays
 * 'never', because no password was changed. An account with a password is not activated again.
 *
 * @throws ServiceError 400 for a name that is blank or has control characters, `password_mismatch`, `password_rules`; 401
 * `invalid_link`; 422 `password_breached`, `password_guessable`.
 */
export async function activateAccount(
  context: ServiceContext,
  { firstName, lastName, password, confirm, hash }: ActivateRequest,
): Promise<DoneResponse> {
  const { db, passwords, attempts, audit } = context;
  const names = { first_name: firstName.trim(), last_name: lastName.trim() };
  if (Object.values(names).some((name) => name === '' || /\p{Cc}/u.test(name))) {
    throw new ServiceError(400, 'invalid_request', passwordTexts.enterNames);
  }
  const uid = (await findOpenLink(context, hash, 'activate'))?.uid ?? null;
  await checkNewPassword(context, { uid, ...names }, password, confirm);
  if (uid === null) throw linkRefused(401);

  const passwordHash = await passwords.hash(password);
  const user = await withUserLocked(db, uid, async (trx, present) => {
    const taken = await takeLink({ ...context, db: trx }, hash, 'activate');
    const isInvited = present.password_hash === null && (await offersPassword(trx, present.uid));
    if (taken === null || !isInvited) throw linkRefused(401);
    await trx
      .updateTable('users')
      .set({ ...names, password_hash: passwordHash, must_change_password: false })
      .where('uid', '=', present.uid)
      .execute();
    await noteLanguage(trx, present.uid, context.language);
    await audit.record(trx, { event: passwordEvents.activation, outcome: 'success', uid: present.uid });
    return present;
  });
  if (user === null) throw linkRefused(401);
  // Earlier failed attempts at the username must not lock its owner out.
  await attempts.forget([passwordScope(user.username)]);
  return {};
}
