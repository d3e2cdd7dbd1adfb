import { randomUUID } from 'node:crypto';
import { expectError, type Check, type ExtensionChecks, type ExtensionTools } from './checks.ts';

function confirmationChecks({ call, checker, send, openSession }: ExtensionTools): readonly Check[] {
  const ofUser: readonly (readonly [id: string, content: object])[] = [
    ['getConfirmation', {}],
    ['startConfirmationByPasskey', { body: {} }],
    ['textConfirmationCode', { body: {} }],
    ['confirmByCode', { body: { code: '000000' } }],
    ['declineConfirmation', { body: {} }],
  ];
  const params = () => ({ id: `conformance-${randomUUID()}` });
  return [
    ...ofUser.map(([id, content]) => ({
      call: id,
      rule: 'an unknown confirmation is refused with 404',
      run: async () => {
        const operation = call(id);
        const { token: bearer } = await openSession();
        const given = { bearer, params: params(), ...content };
        expectError(checker, operation, await send(operation, given), 404, 404);
      },
    })),
    {
      call: 'getConfirmationReceipt',
      rule: 'a session is no client',
      run: async () => {
        const operation = call('getConfirmationReceipt');
        const { token: bearer } = await openSession();
        expectError(checker, operation, await send(operation, { bearer, params: params() }), 401, 401);
      },
    },
  ];
}

/** Checks of confirmations that do not exist. */
export const confirmations: ExtensionChecks = { name: 'confirmations', signedIn: confirmationChecks };
