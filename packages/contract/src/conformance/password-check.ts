import { randomUUID } from 'node:crypto';
import type { ContractChecker } from '../responseValidation.ts';
import type { Operation } from '../document.ts';
import { expectError, Fault, type Check, type ExtensionChecks, type Send } from './checks.ts';

function passwordChecks(
  operations: readonly Operation[],
  checker: ContractChecker,
  send: Send,
): readonly Check[] {
  const refused = (
    call: string,
    what: string,
    password: string,
    code: string,
    names: object = {},
  ): readonly Check[] =>
    operations
      .filter(({ id }) => id === call)
      .map((operation) => ({
        call,
        rule: `${what} is refused with ${code}`,
        run: async () => {
          const hash = `conformance-${randomUUID()}`;
          const body = { password, confirm: password, hash, method: 'basic', ...names };
          const response = await send(operation, { body });
          expectError(checker, operation, response, 422, 422);
          if (!JSON.stringify(response.body).includes(`"code":"${code}"`))
            throw new Fault(`the code is not ${code}`);
        },
      }));
  const names = { firstName: 'Ada', lastName: 'Lovelace' };
  const common = ['a common password', 'Password1', 'password_breached'] as const;
  return [
    ...refused('resetPassword', ...common),
    ...refused('activateAccount', ...common, names),
    ...refused(
      'activateAccount',
      'a password of the entered name',
      'L0velace-77',
      'password_guessable',
      names,
    ),
  ];
}

/** Checks of the extension `password-check`. They use an unknown link, so that a failing service changes nothing. */
export const passwordCheck: ExtensionChecks = { name: 'password-check', anonymous: passwordChecks };
