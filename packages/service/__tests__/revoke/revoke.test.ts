import { outcome } from '../support/secondStep.ts';
import { ada, describeService, text } from '../support/testService.ts';

describeService('signing out at the service (extension `revoke`)', (service) => {
  let uid: string;

  const revoke = (body: unknown) => service.post('/auth/v1/revoke', body);
  const refresh = (token: string) => service.refresh(token);
  const readUser = async (bearer: string): Promise<number> => (await service.readUser(uid, bearer)).status;
  const openSession = async () => {
    const response = await service.signIn();
    return { token: text(response, 'token'), refresh: text(response, 'refresh') };
  };

  beforeEach(async () => {
    ({ uid } = await service.write());
  });

  it('permanently invalidates the access token on every bearer call, and the refresh token', async () => {
    const session = await openSession();
    expect(await readUser(session.token)).toBe(200);

    expect(outcome(await revoke({ refresh: session.refresh }))).toEqual([200, {}]);
    const { token: bearer } = session;
    const password = 'Correct-horse7';
    const calls = [
      await service.readUser(uid, bearer),
      await service.get('/mfa/v1/authy-info', { bearer }),
      await service.post('/auth/v1/validate-password', { password }, { bearer }),
      await service.addApp(bearer),
      await service.post('/mfa/v1/disable', { password }, { bearer }),
      await refresh(session.refresh),
    ];
    expect(calls.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    service.passSeconds(60);
    expect([await readUser(bearer), (await refresh(session.refresh)).status]).toEqual([401, 401]);
  });

  it('leaves nothing valid of a concurrent refresh', async () => {
    const session = await openSession();
    const [refreshed] = await Promise.all([
      refresh(session.refresh),
      revoke({ refresh: session.refresh }),
      refresh(session.refresh),
    ]);
    expect((await refresh(session.refresh)).status).toBe(401);
    if (refreshed.status !== 200) return;
    expect(await readUser(text(refreshed, 'token'))).toBe(401);
    expect((await refresh(text(refreshed, 'refresh'))).status).toBe(401);
  });

  it('answers the same for revoked, unknown and invalid refresh tokens, without effect', async () => {
    const [session, other] = [await openSession(), await openSession()];
    const responses = [
      await revoke({ refresh: session.refresh }),
      await revoke({ refresh: session.refresh }),
      await revoke({ refresh: 'never-issued' }),
      // An access token, valid or not, ends nothing: having it does not prove ownership of the session.
      await revoke({ refresh: other.token }),
      await revoke({ mfaToken: other.token }),
      await revoke({ mfaToken: 'no.such.token' }),
    ];
    expect(responses.map(({ status, body }) => [status, body])).toEqual(responses.map(() => [200, {}]));
    expect(await readUser(other.token)).toBe(200);
  });

  it('has no effect with an expired refresh token', async () => {
    const first = await openSession();
    service.passSeconds(28_000);
    const next = await refresh(first.refresh);
    service.passSeconds(1_000);
    await revoke({ refresh: first.refresh });
    expect((await refresh(text(next, 'refresh'))).status).toBe(200);
  });

  it('is recorded once', async () => {
    const { refresh: out } = await openSession();
    await revoke({ refresh: out });
    await revoke({ refresh: out });
    const entries = [];
    for await (const { event, method, outcome: how } of service.directory.auditLog.read({ username: ada }))
      entries.push([event, method, how]);
    expect(entries.slice(-2)).toEqual([
      ['sign-in', 'basic', 'success'],
      ['sign-out', 'basic', 'success'],
    ]);
  });

  it('rejects a request with both tokens or with none', async () => {
    expect((await revoke({})).status).toBe(400);
    expect((await revoke({ refresh: 'r', mfaToken: 'm' })).status).toBe(400);
  });

  it('invalidates the set-up token, and no other', async () => {
    ({ uid } = await service.write({ mustSetUpMfa: true }));
    const [left, other] = [text(await service.signIn(), 'mfaJWT'), text(await service.signIn(), 'mfaJWT')];
    expect(await readUser(left)).toBe(200);
    expect((await revoke({ mfaToken: left })).status).toBe(200);
    expect((await revoke({ mfaToken: left })).status).toBe(200);

    expect(await readUser(left)).toBe(401);
    expect((await service.post('/mfa/v1/twofactor-add', {}, { bearer: left })).status).toBe(401);
    expect(await readUser(other)).toBe(200);
    // Also with the other form of its signature (ECDSA: r and n - s), which is the same token with other characters.
    expect(await readUser(otherSignature(left))).toBe(401);
    expect(await readUser(otherSignature(other))).toBe(200);
  });
});

/** The second valid signature that anyone can derive from a signature over P-256. */
function otherSignature(token: string): string {
  const n = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const s = n - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const turned = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return [header, payload, turned.toString('base64url')].join('.');
}
