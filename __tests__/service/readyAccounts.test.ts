/** @jest-environment node */
import { controlClient } from '../../local/control/client';
import { readyAuthenticatorKey } from '../../local/accounts';
import { startWorld, type RunningWorld } from '../../local/world';
import { ask, navigation } from '../local/ask';
import { appCode } from './support/authenticator';
import { newDatabase } from './support/postgres';

jest.setTimeout(180_000);

describe('the ready-made accounts with a second step', () => {
  let world: RunningWorld;

  beforeAll(async () => {
    world = await startWorld({
      databaseUrl: await newDatabase(),
      mode: 'production',
      port: 0,
      journal: true,
      service: { rateLimit: 'off', passwordHash: { memoryKib: 64, passes: 1 } },
    });
  });
  afterAll(() => world.close());
  beforeEach(() => controlClient(world.port).reset());

  const token = async (body: object): Promise<Record<string, unknown>> => {
    const answer = await ask(`http://api.payments.localhost:${world.port}/auth/v1/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ method: 'basic', ...body }),
    });
    return JSON.parse(answer.text) as Record<string, unknown>;
  };
  const passwordOf = (username: string): object => ({ username, password: 'Front-door7' });
  const startPage = async (): Promise<string> =>
    (await ask(`http://payments.localhost:${world.port}/`, { headers: navigation })).text;

  test('tess signs in with the code in the outbox', async () => {
    const username = 'tess@payments.example';
    const { authVerificationToken } = await token(passwordOf(username));
    const [message] = await controlClient(world.port).outbox();
    expect(message).toMatchObject({ kind: 'text', to: '+12025550143' });
    const mfaCode = message?.text.slice(0, 6);
    expect(await token({ username, authVerificationToken, mfaCode })).toHaveProperty('token');
  });

  test('theo signs in with the code that the start page shows, which is that of the key on it', async () => {
    const username = 'theo@payments.example';
    const { authVerificationToken } = await token(passwordOf(username));
    const before = Date.now();
    const page = await startPage();
    const mfaCode = /theo@payments\.example<\/code>: <code class="whole">(\d{6})</.exec(page)?.[1];
    expect(page).toContain(readyAuthenticatorKey);
    expect([
      await appCode(readyAuthenticatorKey, before),
      await appCode(readyAuthenticatorKey, Date.now()),
    ]).toContain(mfaCode);
    expect(await token({ username, authVerificationToken, mfaCode })).toHaveProperty('token');
  });

  test('suki has to set it up; the start page shows the code of the app that she set up', async () => {
    const username = 'suki@payments.example';
    const { mfaJWT } = await token(passwordOf(username));
    expect(await startPage()).not.toMatch(/suki@payments\.example<\/code>: /);
    const call = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const answer = await ask(`http://api.payments.localhost:${world.port}/mfa/v1/${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${String(mfaJWT)}` },
        body: JSON.stringify(body),
      });
      return JSON.parse(answer.text) as Record<string, unknown>;
    };
    const { code: secret } = await call('twofactor-add', {});
    const mfaCode = await appCode(String(secret), Date.now());
    expect(await call('validate-setup', { mfaCode, mfaRegistering: 'mfa' })).toEqual({});
    expect(await startPage()).toMatch(/suki@payments\.example<\/code>: /);
    expect(await token(passwordOf(username))).toMatchObject({ mfaRequired: true, mfaType: 'mfa' });
  });
});
