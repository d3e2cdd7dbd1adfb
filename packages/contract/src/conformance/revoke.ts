import {
  expectError,
  expectShape,
  Fault,
  type Check,
  type ExtensionChecks,
  type ExtensionTools,
  type Session,
} from './checks.ts';

function revokeChecks({ call, checker, send, openSession }: ExtensionTools): readonly Check[] {
  const revoke = call('revokeSession');
  const refresh = call('refreshToken');
  const bearerCall = call('getAuthyInfo');

  const revoked = async (token: string): Promise<void> => {
    const response = await send(revoke, { body: { refresh: token } });
    expectShape(checker, revoke, response);
    if (response.status < 200 || response.status > 299)
      throw new Fault(`status ${response.status} instead of 2XX`);
  };
  const refreshed = async (session: Session): Promise<Session> => {
    const { status, body } = await send(refresh, { body: { refresh: session.refresh } });
    const { token, refresh: next } = Object.fromEntries<unknown>(Object.entries(body ?? {}));
    if (status !== 200 || typeof token !== 'string' || typeof next !== 'string')
      throw new Fault(`the refresh has status ${status}`);
    return { token, refresh: next };
  };
  const expectEnded = async ({ token, refresh: spent }: Session): Promise<void> => {
    expectError(checker, bearerCall, await send(bearerCall, { bearer: token }), 401, 401);
    expectError(checker, refresh, await send(refresh, { body: { refresh: spent } }), 401, 401);
  };

  return [
    {
      call: revoke.id,
      rule: 'a revoked session is over: access token and refresh token are refused with 401',
      run: async () => {
        const session = await openSession();
        await revoked(session.refresh);
        await expectEnded(session);
      },
    },
    {
      call: revoke.id,
      rule: 'a refresh token that was exchanged already ends the whole session',
      run: async () => {
        const first = await openSession();
        const next = await refreshed(first);
        await revoked(first.refresh);
        await expectEnded(next);
      },
    },
    {
      call: revoke.id,
      rule: 'revoking again, and an unknown token, get the same response; other sessions are not affected',
      run: async () => {
        const [session, other] = [await openSession(), await openSession()];
        await revoked(session.refresh);
        await revoked(session.refresh);
        await revoked('conformance-unknown-token');
        await refreshed(other);
      },
    },
  ];
}

/**
 * Checks of the extension `revoke`: a revoked session ends, revoking is idempotent, and other sessions are not
 * affected.
 */
export const revoke: ExtensionChecks = { name: 'revoke', signedIn: revokeChecks };
