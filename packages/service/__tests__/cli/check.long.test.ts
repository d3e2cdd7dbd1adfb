import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { emptyDatabase, newDatabase, withClient } from '../support/postgres.ts';
import { createTestDeployment, type TestDeployment } from '../support/testDeployment.ts';
import { encryptionKey } from '../support/testService.ts';
import { copyRelease, serve, vestibuleProcess } from '../support/vestibule.ts';

describe('vestibule check, with the release that starts', () => {
  let release: string;
  let deployment: TestDeployment;
  let file: string;
  beforeAll(async () => {
    release = mkdtempSync(path.join(tmpdir(), 'vestibule-release-'));
    copyRelease(release);
    deployment = await createTestDeployment();
    mkdirSync(path.join(deployment.folder, 'acme'));
    file = path.join(deployment.folder, 'deployment.yaml');
    writeFileSync(file, deployment.deployment);
    writeFileSync(path.join(deployment.folder, 'encryption-key'), encryptionKey, { mode: 0o600 });
  });
  afterAll(() => {
    deployment.remove();
    rmSync(release, { recursive: true });
  });

  const useDatabase = (url: string) => {
    writeFileSync(path.join(deployment.folder, 'database-url'), url, { mode: 0o600 });
  };
  const check = (variables: Readonly<Record<string, string>> = {}) =>
    vestibuleProcess(variables, ['check', file], release);
  const said = (stdout: string) =>
    stdout.split('\n').filter((line) => line !== '' && !line.startsWith('This was checked as root.'));
  const accepted = () => `${file} is valid, and the start succeeds.`;

  it('accepts what serve starts, before it runs and while it runs', async () => {
    const [metricsPort = 0] = await freePorts(1);
    const variables = { METRICS_PORT: String(metricsPort) };
    useDatabase(await newDatabase());
    const before = await check(variables);
    expect([before.stderr, said(before.stdout), before.status]).toEqual(['', [accepted()], 0]);
    const service = serve(variables, ['--config', file], release);
    await service.until('"event":"listening"');
    const during = await check(variables);
    expect([during.stderr, said(during.stdout), during.status]).toEqual(['', [accepted()], 0]);
    expect(await service.end('SIGTERM')).toEqual([0, null]);
  });

  it('says that the start makes the schema, and leaves an empty database empty', async () => {
    const url = await emptyDatabase();
    useDatabase(url);
    const { stdout, stderr } = await check();
    expect([stderr, said(stdout)]).toEqual([
      '',
      ['The database is empty: the start makes the schema.', accepted()],
    ]);
    const { rows } = await withClient(url, (client) =>
      client.query('select from information_schema.tables where table_schema = current_schema()'),
    );
    expect(rows).toEqual([]);
  });

  it('names the migrations of the start, and those of a newer release, and makes no signing key', async () => {
    const url = await newDatabase();
    useDatabase(url);
    await withClient(url, async (client) => {
      await client.query(
        "update kysely_migration set name = '9999_next' where name = '0037_outbox_receivers'",
      );
    });
    const { stdout, stderr } = await check();
    expect([stderr, said(stdout)]).toEqual([
      '',
      [
        'The start migrates the database: 0037_outbox_receivers.',
        'The database is that of a newer release (9999_next). Only the release before that one works with it.',
        accepted(),
      ],
    ]);
    const { rows } = await withClient(url, (client) => client.query('select from signing_keys'));
    expect(rows).toEqual([]);
  });

  it('and serve name the variable of a port that another program has, and of an address that is not here', async () => {
    const taken = createServer().listen(0);
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    useDatabase(await newDatabase());
    const inUse = (host: string) => `listen EADDRINUSE: address already in use ${host}:${port}`;
    for (const [variables, sentence] of [
      [{ PORT: String(port) }, `PORT: ${inUse('::')}`],
      [{ METRICS_PORT: String(port) }, `METRICS_PORT: ${inUse('127.0.0.1')}`],
      [
        { HOST: '203.0.113.9', REDIRECT_PORT: '0' },
        `PORT: listen EADDRNOTAVAIL: address not available 203.0.113.9:${deployment.httpsPort}`,
      ],
    ] as const) {
      expect(await check(variables)).toEqual({ stdout: '', stderr: `${sentence}\n`, status: 1 });
      const service = serve(variables, ['--config', file], release);
      expect(await service.gone).toEqual([1, null]);
      expect(service.said()).toContain(`"event":"start failed","reason":"${sentence}"`);
    }
    taken.close();
  });

  it('and serve name the variables of a certificate with the key of another one', async () => {
    const key = path.join(deployment.folder, 'other.pem');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const certificate = path.join(deployment.folder, 'cert.pem');
    useDatabase(await newDatabase());
    const sentence = `TLS_CERTIFICATE_FILE and TLS_KEY_FILE: ${certificate} and ${key} are no certificate and its key: the key is of another certificate`;
    expect(await check({ TLS_KEY_FILE: key })).toEqual({ stdout: '', stderr: `${sentence}\n`, status: 1 });
    const service = serve({ TLS_KEY_FILE: key }, ['--config', file], release);
    expect(await service.gone).toEqual([1, null]);
    expect(service.said()).toContain(`"reason":"${sentence}"`);
  });

  it('refuses what the start would wait for: a database that is down, and a missing certificate', async () => {
    const [port = 0] = await freePorts(1);
    useDatabase(`postgres://vestibule@127.0.0.1:${port}/vestibule`);
    expect(await check()).toEqual({
      stdout: '',
      stderr: `DATABASE_URL: connect ECONNREFUSED 127.0.0.1:${port}\n`,
      status: 1,
    });
    useDatabase(await newDatabase());
    const none = path.join(deployment.folder, 'none.pem');
    expect(await check({ TLS_CERTIFICATE_FILE: none })).toEqual({
      stdout: '',
      stderr: `TLS_CERTIFICATE_FILE: ENOENT: no such file or directory, open '${none}'\n`,
      status: 1,
    });
  });
});
