import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { emptyDatabase, newDatabase, ownerOfServer, ownPostgres, withClient } from '../support/postgres.ts';
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
  const inEnglish = 'Languages: en (the default).';

  it('accepts what serve starts, before it runs and while it runs', async () => {
    const [metricsPort = 0] = await freePorts(1);
    const variables = { METRICS_PORT: String(metricsPort) };
    useDatabase(await newDatabase());
    const before = await check(variables);
    expect([before.stderr, said(before.stdout), before.status]).toEqual(['', [inEnglish, accepted()], 0]);
    const service = serve(variables, ['--config', file], release);
    await service.until('"event":"listening"');
    const during = await check(variables);
    expect([during.stderr, said(during.stdout), during.status]).toEqual(['', [inEnglish, accepted()], 0]);
    expect(await service.end('SIGTERM')).toEqual([0, null]);
  });

  it('lists the languages, and warns of those in which a code does not fit into one text message', async () => {
    useDatabase(await newDatabase());
    const built = { script: '1', path: '', texts: { de: [], ar: [] } };
    writeFileSync(path.join(release, 'dist/languages.json'), JSON.stringify(built));
    const ours = path.join(deployment.folder, 'languages.yaml');
    writeFileSync(ours, deployment.deployment.replace('page:', 'page:\n  languages: [de, ar]'));
    const lines = async (variables: Readonly<Record<string, string>>) => {
      const name = { PRODUCT_NAME: 'Northwind Payments International' };
      return said((await vestibuleProcess({ ...name, ...variables }, ['check', ours], release)).stdout);
    };
    const end = ['Languages: de (the default), ar.', `${ours} is valid, and the start succeeds.`];
    expect(await lines({})).toEqual(end);
    const sender = {
      TEXT_WEBHOOK_URL: 'https://texts.example.test/',
      TEXT_WEBHOOK_SECRET: Buffer.alloc(32).toString('base64'),
    };
    expect(await lines(sender)).toEqual([
      'Warning: a code in ar needs 2 text messages: it has 90 characters, 32 of PRODUCT_NAME and 18 of the host, and one message holds 70.',
      ...end,
    ]);
  });

  it('says that the start makes the schema, and leaves an empty database empty', async () => {
    const url = await emptyDatabase();
    useDatabase(url);
    const { stdout, stderr } = await check();
    expect([stderr, said(stdout)]).toEqual([
      '',
      [inEnglish, 'The database is empty: the start makes the schema.', accepted()],
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
        inEnglish,
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

  it('and serve refuse the key of a certificate if a user other than root or the user of the service could replace it', async () => {
    const key = path.join(deployment.folder, 'foreign.pem');
    useDatabase(await newDatabase());
    for (const [change, fault] of [
      [() => chmodSync(key, 0o666), `others than its owner may write to ${key}: chmod go-w`],
      ...(process.getuid?.() === 0
        ? [
            [
              () => chownSync(key, 4242, 4242),
              `the owner of ${key} is neither root nor the user of the service: chown root`,
            ] as const,
          ]
        : []),
    ] as const) {
      writeFileSync(key, '');
      change();
      const sentence = `TLS_KEY_FILE: ${fault}`;
      expect(await check({ TLS_KEY_FILE: key })).toEqual({ stdout: '', stderr: `${sentence}\n`, status: 1 });
      const service = serve({ TLS_KEY_FILE: key }, ['--config', file], release);
      expect(await service.gone).toEqual([1, null]);
      expect(service.said()).toContain(`"reason":"${sentence}"`);
      rmSync(key);
    }
  });

  const refusedAs = async (
    variables: Readonly<Record<string, string>>,
    sentence: string,
    user?: number,
  ): Promise<void> => {
    const { stdout, stderr, status } = await vestibuleProcess(variables, ['check', file], release, user);
    expect([stdout, stderr.split('\n')[0], status]).toEqual(['', sentence, 1]);
    const service = serve(variables, ['--config', file], release, user);
    expect(await service.gone).toEqual([1, null]);
    expect(service.said()).toContain(
      `"event":"start failed","reason":${JSON.stringify(sentence).slice(0, -1)}`,
    );
  };

  // Only root can run the commands as another user.
  (process.getuid?.() === 0 ? it : it.skip)(
    'and serve, run as the user of the service, refuse files that this user cannot read and a port that it may not open',
    async () => {
      // This user has access to the socket of the database.
      const { uid: user } = ownerOfServer();
      const { folder } = deployment;
      useDatabase(await newDatabase());
      for (const one of [release, folder]) chmodSync(one, 0o755);
      for (const name of ['database-url', 'encryption-key', 'key.pem'])
        chmodSync(path.join(folder, name), 0o644);
      const secret = path.join(folder, 'of-root');
      writeFileSync(secret, '', { mode: 0o600 });
      const denied = `EACCES: permission denied, open '${secret}'`;
      await refusedAs(
        { DATABASE_URL_FILE: secret },
        `DATABASE_URL_FILE: ${denied}. See packages/service/README.md.`,
        user,
      );
      await refusedAs({ TLS_KEY_FILE: secret }, `TLS_KEY_FILE: ${denied}`, user);
      await refusedAs({ TLS_CERTIFICATE_FILE: secret }, `TLS_CERTIFICATE_FILE: ${denied}`, user);
      // In some containers, every user may open every port.
      const first = Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
      if (first > 444)
        await refusedAs({ PORT: '444' }, 'PORT: listen EACCES: permission denied 0.0.0.0:444', user);
    },
  );

  it('and serve refuse a wrong password of the database', async () => {
    const access = path.join(deployment.folder, 'pg_hba.conf');
    chmodSync(deployment.folder, 0o755);
    writeFileSync(access, 'local all postgres trust\nlocal all all scram-sha-256\n');
    const server = await ownPostgres(['listen_addresses=', `hba_file=${access}`]);
    try {
      await withClient(server.url, (client) =>
        client.query(
          "create role vestibule login password 'right'; grant create on schema public to vestibule",
        ),
      );
      const address = new URL(server.url);
      address.username = 'vestibule';
      address.password = 'wrong';
      useDatabase(address.href);
      await refusedAs({}, 'DATABASE_URL: password authentication failed for user "vestibule"');
      address.password = 'right';
      useDatabase(address.href);
      expect((await check()).status).toBe(0);
    } finally {
      await server.stop();
    }
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
