import { ServiceError } from '../platform/errors.ts';
import type { PasswordOwner } from '../core/context.ts';
import type { PasswordCheckContext } from './breachedPasswords.ts';
import { passwordCheckTexts } from './passwordCheck.messages.ts';
import { isGuessable, wordsOfDeployment, wordsOfPerson } from './guessablePasswords.ts';

/** @throws ServiceError 422 `password_breached`, then `password_guessable`: docs/behaviour.md#password-rules. */
export async function checkNewPassword(
  { db, breachedPasswords, settings }: PasswordCheckContext,
  { uid, ...entered }: PasswordOwner,
  password: string,
): Promise<void> {
  if (!settings.passwordCheck) return;
  if (await breachedPasswords.has(password))
    throw new ServiceError(422, 'password_breached', passwordCheckTexts.breached);
  const stored =
    uid === null
      ? undefined
      : await db
          .selectFrom('users')
          .select(['username', 'email', 'first_name', 'last_name'])
          .where('uid', '=', uid)
          .executeTakeFirst();
  const words = [...wordsOfDeployment(settings), ...wordsOfPerson(entered), ...wordsOfPerson(stored ?? {})];
  if (isGuessable(password, words))
    throw new ServiceError(422, 'password_guessable', passwordCheckTexts.guessable);
}
