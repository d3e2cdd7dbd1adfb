import type { Operation } from '../document.ts';
import {
  expectError,
  expectShape,
  Fault,
  type Check,
  type ExtensionChecks,
  type ExtensionTools,
  type ReceivedResponse,
} from './checks.ts';

const unknownId = 'Y29uZm9ybWFuY2UtdW5rbm93bi1jcmVkZW50aWFs';

function passkeyChecks({ call, checker, send, account, openSession }: ExtensionTools): readonly Check[] {
  const signInOptions = call('startPasskeySignIn');
  const signIn = call('signInWithPasskey');
  const verifyOptions = call('startPasskeyVerification');
  const verify = call('verifyWithPasskey');
  const addOptions = call('startPasskeyAddition');
  const list = call('listPasskeys');

  const done = (operation: Operation, response: ReceivedResponse): Readonly<Record<string, unknown>> => {
    expectShape(checker, operation, response);
    if (response.status !== 200) throw new Fault(`status ${response.status} instead of 200`);
    return propertiesOf(response.body);
  };
  const refused = (operation: Operation, response: ReceivedResponse, status: number, code: string): void => {
    expectError(checker, operation, response, status, status);
    const found = propertiesOf(propertiesOf(response.body)['error'])['code'];
    if (found !== code) throw new Fault(`the code is ${String(found)} instead of ${code}`);
  };
  const optionsFor = async (body: object) => {
    const { challengeToken, publicKey } = done(signInOptions, await send(signInOptions, { body }));
    return { challengeToken, publicKey: propertiesOf(publicKey) };
  };
  const assertion = (challengeToken: unknown) => ({
    challengeToken,
    credential: {
      ...{ id: unknownId, rawId: unknownId, type: 'public-key' },
      response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
    },
  });

  return [
    {
      call: signInOptions.id,
      rule: 'known and unknown usernames get options of one kind, an unknown one the same credentials each time',
      run: async () => {
        const unknown = `conformance-${account.username.replace(/[^a-z0-9]/gi, '')}@example.invalid`;
        const [known, first, second] = [
          await optionsFor({ username: account.username }),
          await optionsFor({ username: unknown }),
          await optionsFor({ username: unknown }),
        ];
        const credentials = [known, first, second].map(({ publicKey }) => publicKey['allowCredentials']);
        const counts = credentials.map((one) => (Array.isArray(one) ? one.length : 0));
        if (counts[0] !== counts[1]) throw new Fault('the number of credentials tells the usernames apart');
        if (JSON.stringify(credentials[1]) !== JSON.stringify(credentials[2]))
          throw new Fault('the credentials of an unknown username change');
        if (first.publicKey['challenge'] === second.publicKey['challenge'])
          throw new Fault('two options have the same challenge');
      },
    },
    {
      call: signIn.id,
      rule: 'an unknown passkey is refused with 404 unknown_credential, and its challenge counts once',
      run: async () => {
        const { challengeToken } = await optionsFor({});
        const body = assertion(challengeToken);
        refused(signIn, await send(signIn, { body }), 404, 'unknown_credential');
        refused(signIn, await send(signIn, { body }), 400, 'challenge_expired');
      },
    },
    {
      call: verify.id,
      rule: 'the challenge of a sign-in, or of another session, verifies no identity',
      run: async () => {
        const [own, other] = [await openSession(), await openSession()];
        const { challengeToken } = await optionsFor({});
        const ofOther = done(verifyOptions, await send(verifyOptions, { body: {}, bearer: other.token }));
        for (const token of [challengeToken, ofOther['challengeToken']]) {
          const response = await send(verify, { body: assertion(token), bearer: own.token });
          refused(verify, response, 400, 'challenge_expired');
        }
      },
    },
    {
      call: addOptions.id,
      rule: 'a passkey is added with a verified identity or the offer of a sign-in only',
      run: async () => {
        const { token: bearer } = await openSession();
        const refusedWith = async (body: object, status: number) =>
          expectError(checker, addOptions, await send(addOptions, { body, bearer }), status, status);
        await refusedWith({ automatic: true }, 400);
        await refusedWith({ authVerificationToken: 'conformance-unknown-token' }, 401);
        await refusedWith({ passkeyOffer: 'conformance-unknown-token' }, 401);
      },
    },
    {
      call: addOptions.id,
      rule: 'the offer of a sign-in with a password works once, in its session',
      run: async () => {
        const [own, other] = [await openSession(), await openSession()];
        const { token: bearer, passkeyOffer } = own;
        if (typeof passkeyOffer !== 'string') throw new Fault('the token response has no passkeyOffer');
        const sendOffer = (token: string) => send(addOptions, { body: { passkeyOffer }, bearer: token });
        expectError(checker, addOptions, await sendOffer(other.token), 401, 401);
        const { publicKey } = done(addOptions, await sendOffer(bearer));
        const { userId } = done(list, await send(list, { bearer }));
        if (propertiesOf(propertiesOf(publicKey)['user'])['id'] !== userId)
          throw new Fault('the user of the options is not the userId of the list');
        expectError(checker, addOptions, await sendOffer(bearer), 401, 401);
      },
    },
  ];
}

function propertiesOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value ?? {}));
}

/**
 * Checks of the extension `passkeys`, without an authenticator: the content of options, that they reveal nothing about a username,
 * and refusals. No passkey is added.
 */
export const passkeys: ExtensionChecks = { name: 'passkeys', signedIn: passkeyChecks };
