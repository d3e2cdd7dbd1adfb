import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Provider } from 'oidc-provider';
import { logConsole } from '../../src/start.ts';
import { aStringLike } from '../support/matchers.ts';
import { newDatabase } from '../support/postgres.ts';
import { recordingLogger } from '../support/recordingLogger.ts';
import { environmentOf, vestibule } from '../support/vestibule.ts';
import { startProvider } from './application.ts';

it('the commands of clients refuse what oidc-provider refuses, with its sentence, and print a log', async () => {
  const url = await newDatabase();
  await using _service = await startProvider([], { database: { url } });
  const openid = { OPENID_COOKIE_PREFIX: 'payments', OPENID_COOKIE_DOMAIN: 'example.com' };
  const clients = (...args: readonly string[]) =>
    vestibule({ ...environmentOf(url), ...openid }, ['clients', ...args]);
  const native = ['--redirect', 'com.example.app:/callback', '--redirect', 'http://localhost/callback'];
  const mixed = await clients('add', 'a', '--name', 'A', ...native);
  expect([mixed.status, mixed.stderr.trim()]).toEqual([
    1,
    'OpenID Connect refuses the client: redirect_uris must only contain web uris.',
  ]);
  const folder = mkdtempSync(path.join(tmpdir(), 'jwks-'));
  const file = path.join(folder, 'jwks.json');
  writeFileSync(file, JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', x: 'x' }] }));
  const keys = await clients('add', 'a', '--name', 'A', '--jwks-file', file);
  rmSync(folder, { recursive: true });
  expect(keys.stderr.trim()).toBe(
    'OpenID Connect refuses the client: client JSON Web Key Set is invalid: jwks.keys[0].y must be a non-empty string for EC keys.',
  );
  expect((await clients('list')).stdout).toBe('');
  const added = await clients('add', 'a', '--name', 'A', '--public', ...native.slice(0, 2));
  expect(JSON.parse(added.stdout)).toEqual({ id: 'a', secret: null });
  expect((await clients('log', 'a')).stdout).toBe('');
  expect((await clients('log', 'b')).stderr.trim()).toBe("There is no client 'b'.");
});

it('the warnings that oidc-provider writes to the console are lines of the log', () => {
  const { log, info, warn, error } = console;
  const recorded = recordingLogger();
  try {
    logConsole(recorded.logger);
    // It has neither an adapter nor keys.
    expect(new Provider('https://api.example.com').issuer).toBe('https://api.example.com');
    console.info('%s is new', 'this');
  } finally {
    Object.assign(console, { log, info, warn, error });
  }
  expect(recorded.entries().map(({ level, event }) => [level, event])).toEqual([
    ...Array<string[]>(recorded.entries().length - 1).fill(['warn', 'console']),
    ['info', 'console'],
  ]);
  expect(recorded.entries()[0]?.fields).toEqual({ text: aStringLike(/^oidc-provider WARNING: [ -~]+$/) });
  expect(recorded.entries().at(-1)?.fields).toEqual({ text: 'this is new' });
});
