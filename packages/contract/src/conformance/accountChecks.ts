import type { Operation } from '../document.ts';
import {
  claimsIn,
  expectError,
  expectShape,
  Fault,
  Skipped,
  type Check,
  type ExtensionTools,
  type ReceivedResponse,
  type Session,
} from './checks.ts';
import { extensionChecks } from './extensions.ts';
import { changeChecks } from './linkChecks.ts';
import { secondStepChecks } from './secondStepChecks.ts';

/**
 * Checks that need an account: sign-in and its refusal, rotation, the user call, refused changes, the second step,
 * and the extensions among the operations.
 */
export function accountChecks(
  operations: readonly Operation[],
  given: Omit<ExtensionTools, 'call' | 'offers' | 'openSession'>,
): readonly Check[] {
  const { account, checker, send } = given;
  const call = (id: string): Operation => {
    const operation = operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`The contract has no call ${id}.`);
    return operation;
  };
  const offers = (extension: string) => operations.some((one) => one.extension === extension);
  const token = call('createToken');
  const refresh = call('refreshToken');
  const user = call('getUser');
  const methods = call('getLoginMethods');
  let session: Session | undefined;
  const signedIn = (): Session => {
    if (session === undefined) throw new Skipped('signing in did not succeed');
    return session;
  };
  const done = (operation: Operation, response: ReceivedResponse): Readonly<Record<string, unknown>> => {
    expectShape(checker, operation, response);
    if (response.status !== 200) throw new Fault(`status ${response.status} instead of 200`);
    return Object.fromEntries(Object.entries(response.body ?? {}));
  };

  const openSession = async (): Promise<Session> =>
    sessionIn(done(token, await send(token, { body: { ...account, method: 'basic' } })));

  return [
    {
      call: methods.id,
      rule: 'the account may sign in with a password',
      run: async () => {
        const response = await send(methods, { params: { username: account.username } });
        const offered = Object.values(done(methods, response));
        if (!offered.some((one) => JSON.stringify(one) === '{"method":"basic"}'))
          throw new Fault('no method basic');
      },
    },
    {
      call: token.id,
      rule: 'a wrong password is refused with a 4xx error',
      run: async () => {
        const body = { ...account, method: 'basic', password: `not ${account.password}` };
        expectError(checker, token, await send(token, { body }), 400, 499);
      },
    },
    {
      call: token.id,
      rule: 'the right password opens a session',
      run: async () => {
        session = await openSession();
        const fault = checker.faultInSchema('AccessTokenClaims', claimsIn(session.token));
        if (fault !== null) throw new Fault(`claims: ${fault}`);
      },
    },
    {
      call: user.id,
      rule: 'the user reads their own account and no other',
      run: async () => {
        const { token: bearer } = signedIn();
        const uid = String(claimsIn(bearer)['uid']);
        done(user, await send(user, { params: { uid }, bearer }));
        const other = await send(user, { params: { uid: `${uid}-other` }, bearer });
        expectError(checker, user, other, 400, 499);
      },
    },
    ...changeChecks(call('changePassword'), checker, send, account, () => signedIn().token),
    {
      call: refresh.id,
      rule: 'a refresh token rotates',
      run: async () => {
        const { refresh: first } = signedIn();
        const next = sessionIn(done(refresh, await send(refresh, { body: { refresh: first } })));
        if (next.refresh === first) throw new Fault('the refresh token stayed the same');
        done(refresh, await send(refresh, { body: { refresh: next.refresh } }));
      },
    },
    {
      call: refresh.id,
      rule: 'a refresh token that was just exchanged is answered again',
      run: async () => {
        signedIn();
        // A separate session, because a service without a grace period ends it.
        const { refresh: spent } = await openSession();
        done(refresh, await send(refresh, { body: { refresh: spent } }));
        const again = await send(refresh, { body: { refresh: spent } });
        if (again.status === 401) throw new Skipped('no grace period: configure no refreshGraceSeconds');
        done(refresh, again);
      },
    },
    {
      call: refresh.id,
      rule: 'an unknown refresh token is refused with 401',
      run: async () => {
        const response = await send(refresh, { body: { refresh: 'conformance-unknown-token' } });
        expectError(checker, refresh, response, 401, 401);
      },
    },
    ...secondStepChecks(call, checker, send, {
      password: account.password,
      bearer: () => signedIn().token,
      bearerElsewhere: async () => (await openSession()).token,
    }),
    ...operations.filter(readsForUser).map((operation): Check => ({
      call: operation.id,
      rule: 'the signed-in user gets a response in the shape of the contract',
      run: async () => {
        done(operation, await send(operation, { bearer: signedIn().token }));
      },
    })),
    ...extensionChecks
      .filter(({ name }) => offers(name))
      .flatMap(({ signedIn: checks }) =>
        checks === undefined ? [] : checks({ ...given, call, offers, openSession }),
      ),
  ];
}

/** A call of an extension whose response needs nothing but a session. */
const readsForUser = ({ extension, method, needsBearer, isStream, pathExamples }: Operation): boolean =>
  extension !== null &&
  method === 'get' &&
  needsBearer &&
  !isStream &&
  Object.keys(pathExamples).length === 0;

function sessionIn(response: Readonly<Record<string, unknown>>): Session {
  const { token, refresh } = response;
  if (typeof token !== 'string' || typeof refresh !== 'string')
    throw new Fault('no session (two-step verification?)');
  return { ...response, token, refresh };
}
