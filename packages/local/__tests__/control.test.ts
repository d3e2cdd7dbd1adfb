import { appCode } from '@vestibule/service/testing/authenticator';
import { readyAuthenticatorKey } from '../src/accounts.ts';
import { controlClient, type ControlClient } from '../src/control/client.ts';
import type { RunningEnvironment } from '../src/localEnvironment.ts';
import { ask, navigation, post } from './support/ask.ts';
import { startQuickEnvironment } from './support/startQuickEnvironment.ts';

let environment: RunningEnvironment;
let control: ControlClient;

beforeAll(async () => {
  environment = await startQuickEnvironment({ journal: true, service: { lockout: { attempts: 2 } } });
  control = controlClient(environment.port);
});
beforeEach(() => control.reset());
afterAll(() => environment.close());

const call = (path: string, body: object, headers: Record<string, string> = {}) =>
  post(`http://api.payments.localhost:${environment.port}${path}`, body, headers);
const signIn = (username: string, password: string) =>
  call('/auth/v1/token', { username, method: 'basic', password });

const zoe = {
  username: 'zoe@payments.example',
  email: 'zoe@payments.example',
  firstName: 'Zoe',
  lastName: 'Quist',
  password: 'Front-door8',
  methods: [{ method: 'basic' as const }],
  personas: { ledger: [{ applicationUrl: 'http://ledger.payments.localhost/' }] },
  mfa: null,
  mustSetUpMfa: false,
  lastReset: '2026-03-05T14:07:00Z',
};

describe('the control API of tests', () => {
  test('returns the calls of the real service', async () => {
    expect((await signIn('ada@payments.example', 'Front-door7')).status).toBe(200);
    expect(await control.journal()).toMatchObject([
      {
        method: 'POST',
        path: '/auth/v1/token',
        body: { username: 'ada@payments.example', method: 'basic', password: 'Front-door7' },
        status: 200,
      },
    ]);
    await control.clearJournal();
    expect(await control.journal()).toStrictEqual([]);
  });

  test('makes a call fail, and restores it', async () => {
    await control.setFault({ path: '/auth/v1/token', fault: { kind: 'answer', status: 503, body: '' } });
    expect((await signIn('ada@payments.example', 'Front-door7')).status).toBe(503);
    await control.clearFaults();
    expect((await signIn('ada@payments.example', 'Front-door7')).status).toBe(200);
  });

  test('reset restores the ready-made accounts and removes everything else', async () => {
    await control.putAccount(zoe);
    expect((await signIn(zoe.username, zoe.password)).status).toBe(200);
    await signIn('ada@payments.example', 'wrong');
    await signIn('ada@payments.example', 'wrong');
    expect((await signIn('ada@payments.example', 'Front-door7')).text).toContain(
      'Too many failed login attempts',
    );
    await control.setFault({ fault: { kind: 'down' } });
    await environment.service.directory.accounts.remove('several@payments.example');

    await control.reset();

    expect(await control.journal()).toStrictEqual([]);
    expect((await signIn('ada@payments.example', 'Front-door7')).status).toBe(200);
    expect((await signIn('several@payments.example', 'Front-door7')).status).toBe(200);
    expect((await signIn(zoe.username, zoe.password)).status).not.toBe(200);
    expect((await signIn('locked@payments.example', 'Front-door7')).text).toContain(
      'Too many failed login attempts',
    );
  });

  test.each([100_000, 2_000_000, 5_000_000])(
    'lets a call of %d bytes be answered 413, and goes on',
    async (bytes) => {
      expect((await signIn('x'.repeat(bytes), 'Front-door7')).status).toBe(413);
      expect((await signIn('ada@payments.example', 'Front-door7')).status).toBe(200);
    },
  );

  test('rejects an invalid fault and an invalid account with a message', async () => {
    const at = (path: string): string => `http://control.payments.localhost:${environment.port}${path}`;
    const fault = await post(at('/faults'), { fault: { kind: 'nope' } });
    expect([fault.status, fault.text]).toStrictEqual([400, expect.stringContaining('delay')]);
    expect((await post(at('/accounts'), { username: 'x' })).status).toBe(400);
  });

  test('accepts no form of another site, which cannot send JSON', async () => {
    const address = `http://control.payments.localhost:${environment.port}/faults`;
    const form = { 'Content-Type': 'text/plain' };
    expect((await post(address, { fault: { kind: 'down' } }, form)).status).toBe(415);
    expect((await signIn('ada@payments.example', 'Front-door7')).status).toBe(200);
  });
});

describe('the ready-made accounts with two-step verification', () => {
  const answerOf = async (...sent: Parameters<typeof call>) =>
    JSON.parse((await call(...sent)).text) as Record<string, unknown>;
  const token = (body: object) => answerOf('/auth/v1/token', { method: 'basic', ...body });
  const passwordOf = (username: string): object => ({ username, password: 'Front-door7' });
  const startPage = async (): Promise<string> =>
    (await ask(`http://payments.localhost:${environment.port}/`, { headers: navigation })).text;

  test('an account with an authenticator app signs in with the code that the start page shows, which is that of the key on it', async () => {
    const username = 'authenticator@payments.example';
    const { authVerificationToken } = await token(passwordOf(username));
    const before = Date.now();
    const page = await startPage();
    const mfaCode = /authenticator@payments\.example<\/code>: <code class="whole">(\d{6})</.exec(page)?.[1];
    expect(page).toContain(readyAuthenticatorKey);
    expect([
      await appCode(readyAuthenticatorKey, before),
      await appCode(readyAuthenticatorKey, Date.now()),
    ]).toContain(mfaCode);
    expect(await token({ username, authVerificationToken, mfaCode })).toHaveProperty('token');
  });

  test('an account that must set two-step verification up does; the start page shows the code of its app', async () => {
    const username = 'must-set-up@payments.example';
    const { mfaJWT } = await token(passwordOf(username));
    expect(await startPage()).not.toMatch(/must-set-up@payments\.example<\/code>: /);
    const bearer = { Authorization: `Bearer ${String(mfaJWT)}` };
    const { code: secret } = await answerOf('/mfa/v1/twofactor-add', {}, bearer);
    const mfaCode = await appCode(String(secret), Date.now());
    const setUp = { mfaCode, mfaRegistering: 'mfa' };
    expect(await answerOf('/mfa/v1/validate-setup', setUp, bearer)).toEqual({});
    expect(await startPage()).toMatch(/must-set-up@payments\.example<\/code>: /);
    expect(await token(passwordOf(username))).toMatchObject({ mfaRequired: true, mfaType: 'mfa' });
  });
});
