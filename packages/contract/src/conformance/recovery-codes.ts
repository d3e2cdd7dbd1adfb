import { randomUUID } from 'node:crypto';
import {
  expectError,
  expectShape,
  Fault,
  type Check,
  type ExtensionChecks,
  type ExtensionTools,
} from './checks.ts';

function recoveryChecks({ call, checker, send, openSession }: ExtensionTools): readonly Check[] {
  const count = call('getRecoveryCodes');
  const make = call('makeRecoveryCodes');
  const use = call('useRecoveryCode');
  const authVerificationToken = `conformance-${randomUUID()}`;
  return [
    {
      call: count.id,
      rule: 'an account without two-step verification has no codes',
      run: async () => {
        const response = await send(count, { bearer: (await openSession()).token });
        expectShape(checker, count, response);
        if (JSON.stringify(response.body).includes('"remaining":0')) return;
        throw new Fault('the number of codes is not 0');
      },
    },
    {
      call: make.id,
      rule: 'a verification that was made up is refused with 401',
      run: async () => {
        const { token: bearer } = await openSession();
        const response = await send(make, { body: { authVerificationToken }, bearer });
        expectError(checker, make, response, 401, 401);
      },
    },
    {
      call: use.id,
      rule: 'a challenge that was made up is refused with 401',
      run: async () => {
        const username = `${authVerificationToken}@example.invalid`;
        const body = { username, method: 'basic', authVerificationToken, code: '7F3K-9QXA-2MVD-H4TE' };
        expectError(checker, use, await send(use, { body }), 401, 401);
      },
    },
  ];
}

/** Checks of the extension `recovery-codes`. They create no code. */
export const recoveryCodes: ExtensionChecks = { name: 'recovery-codes', signedIn: recoveryChecks };
