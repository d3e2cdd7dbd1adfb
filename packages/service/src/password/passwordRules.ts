import { passwordRulesBroken, passwordsDiffer } from '../core/errors.ts';
import { composed } from '../platform/security/passwords.ts';
import type { PasswordOwner, ServiceContext } from '../core/context.ts';

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
 * @throws ServiceError 400 `password_mismatch`, then `password_rules`; as `Slots.checkNewPassword`.
 */
export async function checkNewPassword(
  context: ServiceContext,
  owner: PasswordOwner,
  password: string,
  confirm: string,
): Promise<void> {
  if (composed(password) !== composed(confirm)) throw passwordsDiffer();
  if (!meetsPasswordRules(password)) throw passwordRulesBroken();
  await context.slots.checkNewPassword(context, owner, password);
}
