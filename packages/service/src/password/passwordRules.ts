import { passwordBreached, passwordRulesBroken, passwordsDiffer } from '../errors.ts';
import { composed } from '../security/passwords.ts';
import type { ServiceContext } from '../serviceContext.ts';

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

/** @throws ServiceError 400 `password_mismatch`, then `password_rules`; 422 `password_breached`. */
export async function checkNewPassword(
  { breachedPasswords }: Pick<ServiceContext, 'breachedPasswords'>,
  password: string,
  confirm: string,
): Promise<void> {
  if (composed(password) !== composed(confirm)) throw passwordsDiffer();
  if (!meetsPasswordRules(password)) throw passwordRulesBroken();
  if (await breachedPasswords.has(password)) throw passwordBreached();
}
