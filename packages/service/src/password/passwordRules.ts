import { passwordBreached, passwordGuessable, passwordRulesBroken, passwordsDiffer } from '../errors.ts';
import { composed } from '../security/passwords.ts';
import type { ServiceContext } from '../serviceContext.ts';
import { isGuessable, wordsOfDeployment, wordsOfPerson, type Person } from './guessablePasswords.ts';

/** See docs/behaviour.md#password-rules. Lengths are in code points, not in units of UTF-16. */
const minLength = 8;
const maxLength = 50;

/** Whether the composed form of a password meets the rules. Letters and digits of every script count. */
export function meetsPasswordRules(entered: string): boolean {
  const password = composed(entered);
  const length = Array.from(password).length;
  return (
    length >= minLength &&
    length <= maxLength &&
    /\p{Nd}/u.test(password) &&
    /\p{Ll}/u.test(password) &&
    /\p{Lu}/u.test(password) &&
    !/\s/u.test(password) &&
    !/\p{Nd}{5}/u.test(password)
  );
}

/**
 * @param owner the account, or `null` for an invalid link, and the names that the user enters with the password.
 * @throws ServiceError 400 `password_mismatch`, then `password_rules`; 422 `password_breached`, `password_guessable`.
 */
export async function checkNewPassword(
  { db, breachedPasswords, settings }: Pick<ServiceContext, 'db' | 'breachedPasswords' | 'settings'>,
  owner: { readonly uid: string | null } & Partial<Person>,
  password: string,
  confirm: string,
): Promise<void> {
  if (composed(password) !== composed(confirm)) throw passwordsDiffer();
  if (!meetsPasswordRules(password)) throw passwordRulesBroken();
  if (await breachedPasswords.has(password)) throw passwordBreached();
  if (!settings.passwordCheck) return;
  const { uid, ...entered } = owner;
  const stored =
    uid === null
      ? undefined
      : await db
          .selectFrom('users')
          .select(['username', 'email', 'first_name', 'last_name'])
          .where('uid', '=', uid)
          .executeTakeFirst();
  const words = [...wordsOfDeployment(settings), ...wordsOfPerson(entered), ...wordsOfPerson(stored ?? {})];
  if (isGuessable(password, words)) throw passwordGuessable();
}
