import { passwordRulesBroken, passwordsDiffer } from '../errors.ts';

/** See docs/behaviour.md#password-rules. Characters are counted as people count them: one that takes two units of UTF-16 is one. */
const least = 8;
const most = 50;

/** Whether a password may be set. Letters and digits of every script count. */
export function meetsPasswordRules(password: string): boolean {
  const length = Array.from(password).length;
  return (
    length >= least &&
    length <= most &&
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
