import { passwordRulesBroken, passwordsDiffer } from '../errors.ts';

/** See docs/behaviour.md#password-rules. Lengths are in code points, not in units of UTF-16. */
const minLength = 8;
const maxLength = 50;

/** Whether a password meets the rules. Letters and digits of every script count. */
export function meetsPasswordRules(password: string): boolean {
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

/** @throws ServiceError 400 `password_mismatch`, then `password_rules`. */
export function checkNewPassword(password: string, confirm: string): void {
  if (password !== confirm) throw passwordsDiffer();
  if (!meetsPasswordRules(password)) throw passwordRulesBroken();
}
