import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import type { Tables } from '../src/core/database/tables.ts';
import { createClients } from '../src/core/clients/clients.ts';
import {
  clientFields,
  deployedClients,
  type ClientFields,
  type DeployedClient,
} from '../src/core/clientFields.ts';
import { hashOfToken } from '../src/platform/security/opaqueTokens.ts';
import { connect, type Database } from '../src/platform/database/connect.ts';
import { silentLogger } from '../src/platform/settings/options.ts';
import { newDatabase } from './support/postgres.ts';
import { startTestService, type TestService } from './support/testService.ts';

const fields = (changes: object = {}): ClientFields =>
  v.parse(clientFields, {
    id: 'reports',
    name: 'Reports',
    redirectUris: ['https://reports.example.com/callback'],
    ...changes,
  });
const deployed = (changes: object = {}): DeployedClient[] =>
  v.parse(deployedClients, [{ id: 'reports', name: 'Reports', ...changes }]);

describe('clients of the command line', () => {
  let service: TestService;
  let database: Database<Tables>;
  let clients: ReturnType<typeof createClients>;

  beforeAll(async () => {
    const url = await newDatabase();
    service = await startTestService({ database: { url } });
    database = await connect<Tables>({ url }, silentLogger);
    clients = createClients({ db: database.db, settings: { clients: [], now: service.now } });
  });
  afterAll(async () => {
    await database.close();
    await service.close();
  });
  beforeEach(() => service.directory.resetAll());

  it('have a secret that is shown once and stored as a hash', async () => {
    const { secret } = await service.directory.clients.add(fields());
    expect(Buffer.from(secret ?? '', 'base64url')).toHaveLength(32);
    expect(await clients.find('reports')).toMatchObject({ name: 'Reports', authentication: 'secret' });
    expect(await clients.hasSecret('reports', secret ?? '')).toBe(true);
    expect(await clients.hasSecret('reports', `${secret ?? ''}x`)).toBe(false);
    expect(await clients.hasSecret('other', secret ?? '')).toBe(false);
    const stored = await database.db.selectFrom('client_secrets').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(JSON.stringify(await service.directory.clients.list())).not.toContain(hashOfToken(secret ?? ''));
  });

  it('keep the former secret for a while after a rotation, and only that one', async () => {
    const first = (await service.directory.clients.add(fields())).secret ?? '';
    const second = (await service.directory.clients.rotateSecret('reports', 3600)).secret;
    expect(await clients.hasSecret('reports', first)).toBe(true);
    const third = (await service.directory.clients.rotateSecret('reports', 3600)).secret;
    const valid = async () =>
      Promise.all([first, second, third].map((secret) => clients.hasSecret('reports', secret)));
    expect(await valid()).toEqual([false, true, true]);
    service.passSeconds(3601);
    expect(await valid()).toEqual([false, false, true]);
  });

  it('are public without a secret, and have none with keys', async () => {
    expect(await service.directory.clients.add(fields(), { isPublic: true })).toEqual({ secret: null });
    expect(await clients.find('reports')).toMatchObject({ authentication: 'none' });
    const jwks = { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] };
    expect(await service.directory.clients.add(fields({ id: 'signs', jwks }))).toEqual({ secret: null });
    expect(await clients.find('signs')).toMatchObject({ authentication: 'keys' });
    await expect(service.directory.clients.rotateSecret('signs', 0)).rejects.toThrow('has no secret');
  });

  it('keep what was chosen when they were added', async () => {
    const former = { idTokenAlgorithm: 'ES256', scopes: ['profile', 'email'] };
    await service.directory.clients.add(fields(former));
    expect(await clients.find('reports')).toMatchObject(former);
  });

  it('are added once, and removed with their secrets', async () => {
    const { secret } = await service.directory.clients.add(fields());
    await expect(service.directory.clients.add(fields())).rejects.toThrow("a client 'reports' already");
    await service.directory.clients.remove('reports');
    expect(await clients.find('reports')).toBeNull();
    expect(await clients.hasSecret('reports', secret ?? '')).toBe(false);
    await expect(service.directory.clients.remove('reports')).rejects.toThrow("no client 'reports'");
  });
});

describe('clients of the deployment file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'clients-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const secretIn = (secret: string): string => {
    const file = path.join(folder, 'secret');
    writeFileSync(file, `${secret}\n`);
    return file;
  };
  const clientsOf = (clients: DeployedClient[]) =>
    createClients({ db: {} as Database<Tables>['db'], settings: { clients, now: Date.now } });

  it('have secrets of files and hashes, two during a rotation', async () => {
    const [former, present] = ['f'.repeat(32), 'p'.repeat(32)];
    const clients = clientsOf(
      deployed({ secretFile: secretIn(present), secretHash: `sha256:${hashOfToken(former)}` }),
    );
    expect(await clients.hasSecret('reports', present)).toBe(true);
    expect(await clients.hasSecret('reports', former)).toBe(true);
    expect(await clients.hasSecret('reports', 'x'.repeat(32))).toBe(false);
    expect(await clients.find('reports')).toMatchObject({
      authentication: 'secret',
      scopes: ['profile', 'email', 'offline_access'],
      idTokenAlgorithm: 'RS256',
    });
  });

  it('stop the start with a sentence where a file is missing or short', () => {
    expect(() => clientsOf(deployed({ secretFile: path.join(folder, 'none') }))).toThrow(
      "The secretFile of the client 'reports': ENOENT: no such file or directory",
    );
    expect(() => clientsOf(deployed({ secretFile: secretIn('short') }))).toThrow(
      "secret of the client 'reports' is shorter than 32",
    );
  });
});

it.each([
  ['https://app.example.com/callback', true],
  ['http://127.0.0.1/callback', true],
  ['http://[::1]:8400/callback', true],
  ['http://localhost:8080/callback', true],
  ['com.example.app:/callback', true],
  ['http://app.example.com/callback', false],
  ['https://*.example.com/callback', false],
  ['https://app.example.com/callback#fragment', false],
  ['https://user@app.example.com/callback', false],
  ['https://app.example.com\\@evil.example.com/', false],
  ['https://app.example.com/ x', false],
  ['http://127.0.0.1@evil.example.com/', false],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['app:/callback', false],
  ['/callback', false],
])('a redirect address %s: %s', (address, isAccepted) => {
  expect(v.is(clientFields, { id: 'a', name: 'A', redirectUris: [address] })).toBe(isAccepted);
});
