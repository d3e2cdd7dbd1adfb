/** @jest-environment node */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { text as words } from 'node:stream/consumers';
import { configure } from '../../src/cli/configure.ts';
import { readDeployment, type Deployment } from '../../src/cli/deployment.ts';
import { examine } from '../../src/cli/doctor/doctor.ts';
import type { Finding } from '../../src/platform/doctor/findings.ts';
import { createService, type Service } from '../../src/index.ts';
import { readEnvironment } from '../../src/environment.ts';
import { newDatabase, withClient } from '../support/postgres.ts';
import { encryptionKey } from '../support/testService.ts';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import {
  createTestDeployment,
  startNginx,
  writeSmallBuild,
  type TestDeployment,
} from '../support/testDeployment.ts';

jest.setTimeout(120_000);

/** nginx listens on every address of the machine, the service on 127.0.0.1: this is the outside. */
const connectTo = '127.0.0.2';

describe('vestibule doctor', () => {
  let testDeployment: TestDeployment;
  let url: string;
  let text: string;
  let deployment: Deployment;
  let service: Service;
  let server: Server;
  let metricsPort: number;
  let goodConfiguration: string;
  const file = (name: string): string => path.join(testDeployment.folder, name);

  const startService = async (changes: Readonly<Record<string, string>> = {}): Promise<void> => {
    const variables = {
      ...deployment.environment,
      DATABASE_URL: url,
      ENCRYPTION_KEY: encryptionKey,
      ...changes,
    };
    const options = readEnvironment(variables).service;
    service = await createService({
      ...options,
      rateLimit: 'off',
      passwordHash: { memoryKib: 1024, passes: 1 },
    });
    server = createServer(service.handle).listen(Number(deployment.nodes[0]?.split(':')[1]), '127.0.0.1');
    await once(server, 'listening');
  };
  const stopService = async (): Promise<void> => {
    server.close();
    server.closeAllConnections();
    await service.close();
  };

  beforeAll(async () => {
    const [port = 0, another = 0] = await freePorts(2);
    metricsPort = another;
    testDeployment = await createTestDeployment([port]);
    text = `${testDeployment.deployment.replace('page:\n', 'page:\n  oneTimeLinks: click\n')}    METRICS_PORT: ${metricsPort}\n`;
    deployment = readDeployment(text);
    writeFileSync(file('deployment.yaml'), text);
    const build = file('build');
    writeSmallBuild(build);
    const index = path.join(build, 'index.html');
    writeFileSync(index, `${readFileSync(index, 'utf8')}<script src="/assets/app.0123abcd.js"></script>`);
    configure(deployment, build, file('out'));
    goodConfiguration = readFileSync(file('out/vestibule.conf'), 'utf8');
    url = await newDatabase();
    writeFileSync(file('database-url'), url);
    await startService();
  });
  afterAll(async () => {
    await stopService();
    testDeployment.remove();
  });
  beforeEach(() => {
    certify(['*.example.test'], 90);
  });

  /** Replaces the certificate. */
  const certify = (names: readonly string[], days: number): void => {
    const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
    const [key, request] = [file('key.pem'), file('request.pem')];
    const alternatives = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`;
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
    openssl('req', ...kind, '-out', request, '-subj', '/CN=vestibule test', '-addext', alternatives);
    // `req` makes none that is over.
    const life = ['-signkey', key, '-days', String(days), '-copy_extensions', 'copyall'];
    openssl('x509', '-req', '-in', request, ...life, '-out', file('cert.pem'));
  };

  /** What the doctor finds while nginx runs with a configuration. */
  const examined = async (
    change: (configuration: string) => string = (same) => same,
    now: () => number = Date.now,
  ): Promise<readonly Finding[]> => {
    const configuration = change(goodConfiguration);
    writeFileSync(file('changed.conf'), configuration);
    const stopNginx = await startNginx(testDeployment, file('changed.conf'));
    try {
      return await examine(deployment, { connectTo, now, ca: readFileSync(file('cert.pem'), 'utf8') });
    } finally {
      await stopNginx();
    }
  };
  const wrongIn = (findings: readonly Finding[]): readonly string[] =>
    findings.flatMap(({ outcome, problem, advice }) => {
      // Each says what to do.
      if (outcome === 'wrong') expect(advice).toMatch(/[.?]$/);
      return outcome === 'wrong' ? (problem ?? '') : [];
    });
  const replaced = (from: string | RegExp, to: string) => (configuration: string) => {
    const changed = configuration.replaceAll(from, to);
    if (changed === configuration) throw new Error('The configuration has no such place.');
    return changed;
  };

  it('finds nothing wrong with what `vestibule configure` writes, and leaves nothing behind', async () => {
    const findings = await examined();
    expect(wrongIn(findings)).toEqual([]);
    expect(findings.filter(({ outcome }) => outcome === 'warning')).toEqual([]);
    expect(
      new Set(findings.filter(({ outcome }) => outcome === 'skipped').map(({ check }) => check)),
    ).toEqual(new Set(['DNS']));
    expect(new Set(findings.map(({ check }) => check))).toEqual(
      new Set([
        ...[
          'one-time links',
          'database',
          'DNS',
          'TLS',
          'http',
          'clock',
          'ports',
          'headers',
          'configuration',
          'assets',
          'compression',
        ],
        ...['change of password', 'cookies', 'private addresses', 'CORS', 'keys', 'passkeys', 'contract'],
      ]),
    );
    const { rows } = await withClient(url, (client) =>
      client.query(`select (select count(*) from audit_log) as entries, (select count(*) from outbox_messages) as messages,
        (select count(*) from sign_in_attempts) as attempts, (select count(*) from text_message_counts) as counts`),
    );
    expect(rows).toEqual([{ entries: '0', messages: '0', attempts: '0', counts: '0' }]);
  });

  it.each<[string, (configuration: string) => string, string]>([
    [
      'a header is missing',
      replaced(/ {2}add_header Referrer-Policy .*\n/g, ''),
      '/login lacks the header Referrer-Policy; it has to be: no-referrer',
    ],
    [
      'a header says something else',
      replaced("require-trusted-types-for 'script'; ", ''),
      'has another Content-Security-Policy: ',
    ],
    [
      'a page that holds a secret may be framed',
      replaced('unframed DENY;', 'unframed SAMEORIGIN;'),
      '/unauthorized has another X-Frame-Options: SAMEORIGIN instead of: DENY',
    ],
    [
      'the page is cached',
      replaced('default no-store;', 'default "public, max-age=600";'),
      "/login has Cache-Control 'public, max-age=600' instead of 'no-store'.",
    ],
    [
      'assets are asked for again and again',
      replaced('"public, max-age=31536000, immutable"', 'no-cache'),
      "has Cache-Control 'no-cache' instead of 'public, max-age=31536000, immutable'.",
    ],
    ['Brotli is off', replaced('  brotli_static on;\n', ''), 'is not compressed with Brotli'],
    [
      'http leads elsewhere',
      replaced('return 301 https://$host', 'return 302 https://$host'),
      'responds with 302 and does not lead to https://login.example.test',
    ],
    [
      'managers of passwords are led nowhere',
      replaced('return 302 /reset-password-verify', 'return 302 /login'),
      'does not lead to /reset-password-verify.',
    ],
    [
      'the supplier host may not use passkeys',
      replaced('{"origins":["https://login', '{"origins":["https://logout'),
      '/.well-known/webauthn responds with 200 and is not: {"origins":["https://login',
    ],
    [
      'the cookies are of another domain',
      replaced('Domain=example.test', 'Domain=login.example.test'),
      'does not expire the cookies of the session as the page writes them',
    ],
    [
      'any page may call the service',
      replaced(
        '  proxy_http_version',
        '  proxy_hide_header Access-Control-Allow-Origin; add_header Access-Control-Allow-Origin * always; proxy_http_version',
      ),
      'The service lets pages of strangers call it: Access-Control-Allow-Origin is * for https://doctor.example.invalid.',
    ],
    [
      'each origin is allowed by its name',
      replaced(
        '  proxy_http_version',
        '  proxy_hide_header Access-Control-Allow-Origin; add_header Access-Control-Allow-Origin $http_origin always; proxy_http_version',
      ),
      'The service lets pages of strangers call it: Access-Control-Allow-Origin is https://doctor.example.invalid for',
    ],
    [
      'metrics can be read',
      replaced('  location / { return 404; }', '  location / { return 200 metrics; }'),
      '/metrics responds with 200 instead of 404.',
    ],
    [
      'a host is missing',
      replaced(' suppliers.example.test;', ' gone.example.test;'),
      'shows no certificate',
    ],
  ])('finds that %s', async (_what, change, sentence) => {
    expect(wrongIn(await examined(change)).join('\n')).toContain(sentence);
  });

  it.each<[string, readonly string[], number, string]>([
    ['has expired', ['*.example.test'], -1, 'The certificate of login.example.test has expired'],
    ['ends soon', ['*.example.test'], 10, 'The certificate of login.example.test ends in 9 days'],
    [
      'is of other names',
      ['login.example.test', 'go.example.test', 'suppliers.example.test'],
      90,
      'The certificate of api.example.test is of another name (names: login.example.test, go.example.test',
    ],
  ])('finds that the certificate %s', async (_what, names, days, sentence) => {
    certify(names, days);
    const wrong = wrongIn(await examined());
    expect(wrong.join('\n')).toContain(sentence);
    // Nothing else is: the rest of the deployment is still checked.
    expect(wrong.filter((problem) => !problem.includes('certificate'))).toEqual([]);
  });

  it('finds that the certificate is of an unknown authority', async () => {
    const known = file('known.pem');
    copyFileSync(file('cert.pem'), known);
    certify(['*.example.test'], 90);
    const stopNginx = await startNginx(testDeployment, file('out/vestibule.conf'));
    const findings = await examine(deployment, { connectTo, now: Date.now, ca: readFileSync(known, 'utf8') });
    await stopNginx();
    expect(wrongIn(findings).join('\n')).toContain('is self-signed');
  });

  it('finds that the clocks differ', async () => {
    const wrong = wrongIn(await examined(undefined, () => Date.now() + 60_000));
    expect(wrong).toHaveLength(4);
    expect(wrong[0]).toMatch(
      /^The clock of https:\/\/login\.example\.test:\d+ is (?:59|60|61) s behind that of this machine\.$/,
    );
  });

  it('finds that the service and the page have different relying parties', async () => {
    await stopService();
    await startService({ PASSKEYS_RP_ID: 'example.test' });
    const wrong = wrongIn(await examined());
    await stopService();
    await startService();
    expect(wrong).toEqual([
      expect.stringMatching(
        /responds with 200 and the relying party example\.test instead of login\.example\.test\.$/,
      ),
    ]);
  });

  it('finds that the page is of another configuration', async () => {
    const page = file('out/page/index.html');
    const good = readFileSync(page, 'utf8');
    writeFileSync(page, good.replace('"environment":"test"', '"environment":"other"'));
    const wrong = wrongIn(await examined());
    writeFileSync(page, good);
    expect(wrong[0]).toBe(
      `The page on login.example.test:${testDeployment.httpsPort} has another configuration than the file of the deployment.`,
    );
  });

  it('finds a port of the service that is open', async () => {
    const open = createServer().listen(metricsPort, connectTo);
    await once(open, 'listening');
    const wrong = wrongIn(await examined());
    open.close();
    expect(wrong).toEqual([
      `Port ${metricsPort} of api.example.test is open to the outside; it is the service's, which believes what nginx says of a caller.`,
    ]);
  });

  it('finds that the service was given other origins, and that it does not answer', async () => {
    await stopService();
    await startService({ ALLOWED_ORIGINS: 'https://other.example.test' });
    const refused = wrongIn(await examined());
    await stopService();
    const gone = wrongIn(await examined());
    await startService();
    expect(refused).toContain(
      `The service does not let the page on https://login.example.test:${testDeployment.httpsPort} call it: Access-Control-Allow-Origin is missing.`,
    );
    expect(gone.join('\n')).toContain('The service breaks the contract at getLoginMethods');
  });

  it('prints sentences, or lines of JSON, and exits with 1 if anything is wrong', async () => {
    const stopNginx = await startNginx(testDeployment, file('out/vestibule.conf'));
    // Not `spawnSync`: the service is in this process.
    const run = async (...options: readonly string[]) => {
      const command = [
        '--import',
        'tsx',
        'packages/service/src/cli/vestibule.ts',
        'doctor',
        file('deployment.yaml'),
      ];
      const doctor = spawn(process.execPath, [...command, '--connect-to', connectTo, ...options], {
        cwd: path.resolve(__dirname, '../../../..'),
        env: { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: file('cert.pem') },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [stdout] = await Promise.all([words(doctor.stdout), once(doctor, 'exit')]);
      return { stdout, status: doctor.exitCode };
    };
    const good = await run();
    await stopNginx();
    expect(good.stdout).toMatch(/\n\d+ checks, 0 warnings, 0 wrong\.\n$/);
    expect(good.status).toBe(0);
    const bad = await run('--json');
    const findings = bad.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Finding);
    expect(findings.filter(({ outcome }) => outcome === 'wrong').length).toBeGreaterThan(3);
    expect(bad.status).toBe(1);
  });
});
