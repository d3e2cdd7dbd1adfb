import { randomUUID } from 'node:crypto';
import type { ContractChecker } from '../responseValidation.ts';
import type { Operation } from '../document.ts';
import { expectError, Fault, type Check, type Send } from './checks.ts';

/** Checks of one-time links and password forms with an unknown link: all of them are refusals. */
export function linkChecks(
  operations: readonly Operation[],
  checker: ContractChecker,
  send: Send,
): readonly Check[] {
  const call = (id: string): Operation => {
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`The contract has no call ${id}.`);
    return operation;
  };
  const unknown = `conformance-${randomUUID()}`;
  const password = 'New-secret8';
  const form = { password, confirm: password, hash: unknown, method: 'basic' };
  const refused = (id: string, status: 401 | 404, body: unknown): Check => ({
    call: id,
    rule: `an unknown link is refused with ${status}`,
    run: async () => {
      const operation = call(id);
      const response = await send(operation, { body, params: { hash: unknown } });
      expectError(checker, operation, response, status, status);
    },
  });

  return [
    refused('resetPassword', 401, form),
    refused('activateAccount', 401, { ...form, firstName: 'Ada', lastName: 'Lovelace' }),
    refused('createToken', 401, { magiclinkId: unknown, method: 'magiclink' }),
    refused('getApiInvite', 404, undefined),
  ];
}

/**
 * Checks of the password change of a signed-in user, which do not change the password.
 *
 * @param bearer throws `Skipped` if no user is signed in.
 */
export function changeChecks(
  change: Operation,
  checker: ContractChecker,
  send: Send,
  account: { readonly username: string; readonly password: string },
  bearer: () => string,
): readonly Check[] {
  const refusal = (rule: string, code: string, differing: object): Check => ({
    call: change.id,
    rule,
    run: async () => {
      const body = {
        newPassword: 'New-secret8',
        confirmPassword: 'New-secret8',
        oldPassword: account.password,
        username: account.username,
        ...differing,
      };
      const response = await send(change, { body, bearer: bearer() });
      expectError(checker, change, response, 400, 400);
      if (!JSON.stringify(response.body).includes(`"code":"${code}"`))
        throw new Fault(`the code is not ${code}`);
    },
  });
  return [
    refusal('two new passwords that differ are refused with password_mismatch', 'password_mismatch', {
      confirmPassword: 'New-secret9',
    }),
    refusal('a new password against the rules is refused with password_rules', 'password_rules', {
      newPassword: 'short',
      confirmPassword: 'short',
    }),
  ];
}
