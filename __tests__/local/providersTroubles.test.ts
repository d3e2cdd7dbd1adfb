/** @jest-environment node */
import { controlClient, type ControlClient } from '../../local/control/client';
import { originOf } from '../../local/hosts';
import type { ProviderName } from '../../local/providers/registration';
import { startWorld, type RunningWorld } from '../../local/world';
import { ask, type Answered } from './ask';
import { pageOf, queryOf } from './support/providerBrowser';
import { authorizationRequest, browserOn, codeFor, signInAt } from './support/providerFlow';
import { newDatabase } from '../service/support/postgres';

jest.setTimeout(60_000);

const gina = 'gina@payments.example';
const mick = 'mick@payments.example';
const both: readonly ProviderName[] = ['google', 'microsoft'];

let world: RunningWorld;
let control: ControlClient;
beforeAll(async () => {
  world = await startWorld({
    databaseUrl: await newDatabase(),
    mode: 'production',
    port: 0,
    journal: true,
    service: { rateLimit: 'off', passwordHash: { memoryKib: 64, passes: 1 } },
  });
  control = controlClient(world.port);
}, 60_000);
beforeEach(() => control.reset());
afterAll(() => world.close());

const open = (provider: ProviderName): Promise<Answered> =>
  ask(authorizationRequest(provider, world.port).address);
const token = (body: object): Promise<Answered> =>
  ask(`${originOf('api', world.port)}/auth/v1/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('a world', () => {
  test.each([
    ['google', gina],
    ['microsoft', mick],
  ] as const)('signs the %s account of its list in', async (method, username) => {
    const { code, codeVerifier } = await codeFor(method, world.port, username);
    const answered = await token({
      username,
      method,
      code,
      ...(method === 'microsoft' ? { codeVerifier } : {}),
    });
    expect([answered.status, answered.text]).toStrictEqual([200, expect.stringContaining('"refresh"')]);
  });

  test('has the account with a plus-suffix sign in under its mailbox', async () => {
    const { code } = await codeFor('google', world.port, 'petra@payments.example');
    const answered = await token({ username: 'petra+invoices@payments.example', method: 'google', code });
    expect(answered.status).toBe(200);
  });

  test('gives the application the addresses at which its providers answer', () => {
    const { google, microsoft } = world.config;
    expect(authorizationRequest('google', world.port).address).toContain(`${google.authorizationUrl}?`);
    expect(google.clientId).toMatch(/google/);
    expect(microsoft.authorizationUrl).toBe(
      `${originOf('microsoft', world.port)}/{tenantId}/oauth2/v2.0/authorize`,
    );
  });
});

describe('a provider in trouble', () => {
  test.each(both)(
    '%s refuses consent: the application gets the error and its state, and no code',
    async (provider) => {
      await control.setProvider({ provider, trouble: 'refuse' });
      const { address, state } = authorizationRequest(provider, world.port);
      const query = queryOf(await signInAt(browserOn(world.port), address, gina));
      expect(query).toMatchObject({ error: 'access_denied', state });
      expect(query).not.toHaveProperty('code');
    },
  );

  test.each(both)('%s answers with a state that was not sent', async (provider) => {
    await control.setProvider({ provider, trouble: 'wrong-state' });
    const { address, state } = authorizationRequest(provider, world.port);
    const query = queryOf(await signInAt(browserOn(world.port), address, gina));
    expect(query['state']).toMatch(/^[\w-]{43}$/);
    expect(query['state']).not.toBe(state);
  });

  test.each(both)('%s hangs: its page does not come, while the other provider answers', async (provider) => {
    await control.setProvider({ provider, trouble: 'hang' });
    const other: ProviderName = provider === 'google' ? 'microsoft' : 'google';
    // The world's end ends it.
    const hanging = open(provider).then(
      () => 'answered',
      () => 'broken off',
    );
    for (let times = 0; times < 3; times += 1) {
      const answer = open(other).then(({ status }) => `the other one answered ${status}`);
      expect(await Promise.race([hanging, answer])).toBe('the other one answered 303');
    }
  });

  test.each(both)('%s is down, and up again after a reset', async (provider) => {
    await control.setProvider({ provider, trouble: 'down' });
    await expect(open(provider)).rejects.toThrow(/socket hang up|ECONNRESET/);
    await control.reset();
    expect((await open(provider)).status).toBe(303);
  });

  test.each(['same-origin', 'same-origin-allow-popups'] as const)(
    'sends Cross-Origin-Opener-Policy %s with pages and redirects',
    async (openerPolicy) => {
      await control.setProvider({ provider: 'google', openerPolicy });
      const browser = browserOn(world.port);
      const { address } = authorizationRequest('google', world.port);
      const page = pageOf(await browser.go(address));
      const redirected = await ask(address);
      expect([page.headers, redirected.headers]).toMatchObject([
        { 'cross-origin-opener-policy': openerPolicy },
        { 'cross-origin-opener-policy': openerPolicy },
      ]);
      expect((await open('microsoft')).headers).not.toHaveProperty('cross-origin-opener-policy');
    },
  );

  test('can be in two troubles at once, and says what it is in', async () => {
    await control.setProvider({ provider: 'google', openerPolicy: 'same-origin' });
    await control.setProvider({ provider: 'google', trouble: 'refuse' });
    const { text } = await ask(`${originOf('control', world.port)}/providers`);
    expect(JSON.parse(text)).toStrictEqual({
      google: { trouble: 'refuse', openerPolicy: 'same-origin' },
      microsoft: { trouble: 'none', openerPolicy: 'unsafe-none' },
    });
  });
});

describe('the switches of the start page', () => {
  const start = (): string => originOf('start', world.port);
  const send = (fields: Record<string, string>, origin: string): Promise<Answered> =>
    ask(`${start()}/providers`, {
      method: 'POST',
      headers: { Origin: origin, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
  const down = { provider: 'microsoft', trouble: 'down', openerPolicy: 'unsafe-none' };

  test('show what is set and set it', async () => {
    expect((await ask(start())).text).toContain('<option value="none" selected>');
    const answered = await send(down, start());
    expect([answered.status, answered.headers.location]).toStrictEqual([303, '/#providers']);
    expect((await ask(start())).text).toContain('<option value="down" selected>');
    await expect(open('microsoft')).rejects.toThrow(/socket hang up|ECONNRESET/);
  });

  test('take no form from another page, and no value that is none', async () => {
    expect((await send(down, originOf('stranger', world.port))).status).toBe(403);
    expect((await send({ ...down, trouble: 'melt' }, start())).status).toBe(400);
    expect((await open('microsoft')).status).toBe(303);
  });
});
