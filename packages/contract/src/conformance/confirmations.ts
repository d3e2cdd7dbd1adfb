import { randomUUID } from 'node:crypto';
import {
  bodyOf,
  claimsIn,
  expectError,
  Fault,
  type Check,
  type ClientCredentials,
  type ExtensionChecks,
  type ExtensionTools,
  type ReceivedResponse,
} from './checks.ts';

function confirmationChecks(tools: ExtensionTools): readonly Check[] {
  const { call, checker, client, send, openSession } = tools;
  const ofUser: readonly (readonly [id: string, content: object])[] = [
    ['getConfirmation', {}],
    ['startConfirmationByPasskey', { body: {} }],
    ['textConfirmationCode', { body: {} }],
    ['confirmByCode', { body: { code: '000000' } }],
    ['declineConfirmation', { body: {} }],
    ['proveIdentityForConfirmation', { body: { authVerificationToken: 'conformance' } }],
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
    ...[
      { id: 'askForConfirmation', content: { body: { uid: 'conformance', ...payment } } },
      { id: 'getConfirmationReceipt', content: {} },
    ].map(({ id, content }) => ({
      call: id,
      rule: 'a session is no client',
      run: async () => {
        const operation = call(id);
        const { token: bearer } = await openSession();
        expectError(
          checker,
          operation,
          await send(operation, { bearer, params: params(), ...content }),
          401,
          401,
        );
      },
    })),
    ...(client === undefined ? [] : askingChecks(tools, client)),
  ];
}

const payment = {
  amount: { value: '1.00', currency: 'EUR' },
  payee: { name: 'Conformance' },
  lifeSeconds: 60,
};

/** What is wrong with a payment, and the field that has to be named. */
const faults: readonly (readonly [what: string, changes: object, field: string])[] = [
  ['a fraction of yen', { amount: { value: '1.00', currency: 'JPY' } }, 'amount.value'],
  ['a currency that nobody pays with', { amount: { value: '1.00', currency: 'XTS' } }, 'amount.currency'],
  ['a name that reverses what follows', { payee: { name: 'Conformance \u202e' } }, 'payee.name'],
  ['a name of 71 characters', { payee: { name: 'x'.repeat(71) } }, 'payee.name'],
  ['an unknown field', { note: 'x' }, 'note'],
  ['an address of no host that is listed', { returnUrl: 'https://conformance.invalid/' }, 'returnUrl'],
];

/** These checks make one payment, and decline it. */
function askingChecks(
  { call, checker, send, openSession }: ExtensionTools,
  client: ClientCredentials,
): readonly Check[] {
  const ask = async (token: string, changes: object, key?: string): Promise<ReceivedResponse> => {
    const body = { uid: claimsIn(token)['uid'], ...payment, ...changes };
    return send(call('askForConfirmation'), { client, body, ...(key === undefined ? {} : { key }) });
  };
  return [
    ...faults.map(([what, changes, field]) => ({
      call: 'askForConfirmation',
      rule: `${what} is refused with 400, which names ${field}`,
      run: async () => {
        const response = await ask((await openSession()).token, changes);
        expectError(checker, call('askForConfirmation'), response, 400, 400);
        const { errors = [] } = response.body as { readonly errors?: readonly { readonly field: string }[] };
        if (response.headers.get('content-type')?.startsWith('application/problem+json') !== true)
          throw new Fault('the media type is not application/problem+json');
        if (!errors.some((error) => error.field === field)) throw new Fault(`errors does not name ${field}`);
      },
    })),
    {
      call: 'askForConfirmation',
      rule: 'the key of a payment leads to it, in the state that it has by then',
      leavesTrace: true,
      run: async () => {
        const { token: bearer } = await openSession();
        const key = randomUUID();
        const asked = async () => bodyOf({ checker }, call('askForConfirmation'), await ask(bearer, {}, key));
        const { id, state } = await asked();
        const params = { id: String(id) };
        const decline = call('declineConfirmation');
        bodyOf({ checker }, decline, await send(decline, { bearer, params, body: {} }));
        const later = await asked();
        if (later['id'] !== id) throw new Fault('the key has made another payment');
        const states = [state, later['state']].join(', ');
        if (states !== 'open, declined')
          throw new Fault(`the states are ${states} instead of open, declined`);
      },
    },
  ];
}

/** Without a client, checks of confirmations that do not exist. */
export const confirmations: ExtensionChecks = { name: 'confirmations', signedIn: confirmationChecks };
