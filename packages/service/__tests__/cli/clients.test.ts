import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aString } from '../support/matchers.ts';
import { newDatabase } from '../support/postgres.ts';
import { startTestService, type TestService } from '../support/testService.ts';
import { environmentOf, vestibule } from '../support/vestibule.ts';

describe('the commands of clients', () => {
  let service: TestService;
  let clients: (...args: readonly string[]) => ReturnType<typeof vestibule>;
  let withOpenId: typeof clients;

  beforeAll(async () => {
    const url = await newDatabase();
    service = await startTestService({ database: { url }, now: Date.now });
    const environment = environmentOf(url);
    const openid = { OPENID_COOKIE_PREFIX: 'payments', OPENID_COOKIE_DOMAIN: 'example.com' };
    clients = (...args) => vestibule(environment, ['clients', ...args]);
    withOpenId = (...args) => vestibule({ ...environment, ...openid }, ['clients', ...args]);
  });
  afterAll(() => service.close());

  it('add, rotate, list and remove, and show a secret once', async () => {
    const redirect = ['--redirect', 'https://reports.example.com/callback'];
    const added = await clients(
      'add',
      'reports',
      '--name',
      'Reports',
      ...redirect,
      '--scope',
      'email',
      '--par',
      '--confirmations',
      ...['--confirmation-uri', 'https://reports.example.com/events'],
      ...['--initiate-login', 'https://reports.example.com/sign-in'],
    );
    const { id, secret } = JSON.parse(added.stdout) as { id: string; secret: string };
    expect([id, secret.length]).toEqual(['reports', 43]);

    const rotated = JSON.parse((await clients('rotate-secret', 'reports', '--keep', '1')).stdout) as object;
    expect(rotated).toEqual({
      id: 'reports',
      secret: aString,
      formerExpiresAt: aString,
    });

    const { stdout } = await clients('list');
    expect(stdout).not.toContain(secret);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ id: 'reports', name: 'Reports', from: 'command', authentication: 'secret' },
      ...{ par: true, confirmations: true },
      ...{ scopes: ['email'], redirectUris: ['https://reports.example.com/callback'] },
      confirmationUri: 'https://reports.example.com/events',
      initiateLoginUri: 'https://reports.example.com/sign-in',
      idTokenAlgorithm: 'RS256',
    });

    expect(JSON.parse((await clients('remove', 'reports')).stdout)).toEqual({ removed: 'reports' });
    expect((await clients('list')).stdout).toBe('');
  });

  it('refuse what the library of OpenID Connect refuses, with its sentence', async () => {
    const native = ['--redirect', 'com.example.app:/callback', '--redirect', 'http://localhost/callback'];
    const mixed = await withOpenId('add', 'a', '--name', 'A', ...native);
    expect([mixed.status, mixed.stderr.trim()]).toEqual([
      1,
      'OpenID Connect refuses the client: redirect_uris must only contain web uris.',
    ]);
    const folder = mkdtempSync(path.join(tmpdir(), 'jwks-'));
    const file = path.join(folder, 'jwks.json');
    writeFileSync(file, JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', x: 'x' }] }));
    const keys = await withOpenId('add', 'a', '--name', 'A', '--jwks-file', file);
    rmSync(folder, { recursive: true });
    expect(keys.stderr.trim()).toBe(
      'OpenID Connect refuses the client: client JSON Web Key Set is invalid: jwks.keys[0].y must be a non-empty string for EC keys.',
    );
    expect((await clients('list')).stdout).toBe('');
    const added = await withOpenId('add', 'a', '--name', 'A', '--public', ...native.slice(0, 2));
    expect(JSON.parse(added.stdout)).toEqual({ id: 'a', secret: null });
    expect((await withOpenId('log', 'a')).stdout).toBe('');
    expect((await withOpenId('log', 'b')).stderr.trim()).toBe("There is no client 'b'.");
    await clients('remove', 'a');
  });

  it('say what is wrong in a sentence', async () => {
    const wrong = await clients('add', 'a', '--name', 'A', '--redirect', 'http://reports.example.com/');
    expect([wrong.status, wrong.stdout]).toEqual([1, '']);
    expect(wrong.stderr).toContain('redirectUris.0 must be an https address');
    const event = await clients('add', 'a', '--name', 'A', '--confirmation-uri', 'http://10.0.0.1/events');
    expect(event.stderr).toContain('confirmationUri must be an https address');
    expect((await clients('remove', 'b')).stderr.trim()).toBe("There is no client 'b'.");
  });
});
