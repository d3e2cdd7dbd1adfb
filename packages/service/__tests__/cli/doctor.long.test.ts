import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
} from 'node:http';
import path from 'node:path';
import { text as words } from 'node:stream/consumers';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { fileFindings } from '../../src/cli/doctor/certificateChecks.ts';
import { examine, scannerFinding } from '../../src/cli/doctor/doctor.ts';
import { readDeployment, type Deployment } from '../../src/deployment.ts';
import { readEnvironment } from '../../src/environment.ts';
import { createService, type Service } from '../../src/index.ts';
import { dispatchByHost, hostsOf } from '../../src/page/dispatch.ts';
import { builtPage, createPageHost } from '../../src/page/pageHost.ts';
import { createRedirect } from '../../src/page/redirect.ts';
import { formatFinding, type Finding } from '../../src/platform/doctor/findings.ts';
import { listenForHttp, listenForHttps } from '../../src/platform/http/webServer.ts';
import { silentLogger } from '../../src/platform/settings/options.ts';
import { newDatabase, withClient } from '../support/postgres.ts';
import { createTestDeployment, writeSmallBuild, type TestDeployment } from '../support/testDeployment.ts';
import { encryptionKey } from '../support/testService.ts';

jest.setTimeout(120_000);

/** Metrics and the service are at other addresses of this machine: this is the outside. */
const connectTo = '127.0.0.2';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** What something in front of the process does to a response. */
type Change = (answer: Answer, request: IncomingMessage) => Answer;

describe('vestibule doctor', () => {
  let testDeployment: TestDeployment;
  let url: string;
  let text: string;
  let deployment: Deployment;
  let service: Service;
  let page: RequestListener;
  let config: Deployment['page'];
  let metricsPort: number;
  const file = (name: string): string => path.join(testDeployment.folder, name);

  const startService = async (changes: Readonly<Record<string, string>> = {}): Promise<void> => {
    const variables = {
      ...deployment.environment,
      DATABASE_URL: url,
      ENCRYPTION_KEY: encryptionKey,
      ...changes,
    };
    service = await createService({
      ...readEnvironment(variables).service,
      rateLimit: 'off',
      passwordHash: { memoryKib: 1024, passes: 1 },
    });
  };
  const openPage = async (given: Deployment['page']): Promise<void> => {
    config = given;
    const host = await createPageHost({ config, source: builtPage(file('build'), config) });
    page = (request, response) => {
      host.routing(request, response);
    };
  };

  beforeAll(async () => {
    const [port = 0] = await freePorts(1);
    metricsPort = port;
    testDeployment = await createTestDeployment();
    text = `${testDeployment.deployment.replace('page:\n', 'page:\n  oneTimeLinks: click\n')}    METRICS_PORT: ${metricsPort}\n`;
    deployment = readDeployment(text);
    writeFileSync(file('deployment.yaml'), text);
    writeSmallBuild(file('build'));
    const index = file('build/index.html');
    writeFileSync(index, `${readFileSync(index, 'utf8')}<script src="/assets/app.0123abcd.js"></script>`);
    url = await newDatabase();
    writeFileSync(file('database-url'), url);
    writeFileSync(file('encryption-key'), encryptionKey);
    await startService();
    await openPage(deployment.page);
  });
  afterAll(async () => {
    await service.close();
    testDeployment.remove();
  });
  beforeEach(() => {
    certify(['*.example.test'], 90);
  });

  /** Makes a certificate, by default that of the deployment. */
  const certify = (names: readonly string[], days: number, prefix = ''): void => {
    const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
    const [key, request] = [file(prefix === '' ? 'key.pem' : `${prefix}-key.pem`), file('request.pem')];
    const alternatives = `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}`;
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
    openssl('req', ...kind, '-out', request, '-subj', '/CN=vestibule test', '-addext', alternatives);
    // `req` makes none that is over.
    const life = ['-signkey', key, '-days', String(days), '-copy_extensions', 'copyall'];
    openssl(
      'x509',
      '-req',
      '-in',
      request,
      ...life,
      '-out',
      file(prefix === '' ? 'cert.pem' : `${prefix}.pem`),
    );
  };

  /** Runs the process, with something in front of it that changes responses. */
  const running = async <Result>(change: Change, work: () => Promise<Result>): Promise<Result> => {
    const handle = dispatchByHost(config, page, service.handle);
    const listener: RequestListener = (request, response) => {
      const writeHead = response.writeHead.bind(response) as (
        status: number,
        headers: OutgoingHttpHeaders,
      ) => typeof response;
      response.writeHead = ((status: number, own: OutgoingHttpHeaders = {}) => {
        const answer = change({ status, headers: { ...response.getHeaders(), ...own } }, request);
        for (const name of response.getHeaderNames()) response.removeHeader(name);
        return writeHead(answer.status, answer.headers as OutgoingHttpHeaders);
      }) as never;
      handle(request, response);
    };
    const { httpPort, httpsPort } = testDeployment;
    const redirect = await createRedirect(hostsOf(config), httpsPort, undefined);
    const plain: RequestListener = (request, response) => {
      const writeHead = response.writeHead.bind(response) as (
        ...given: readonly unknown[]
      ) => typeof response;
      response.writeHead = ((status: number, headers: OutgoingHttpHeaders) =>
        writeHead(change({ status, headers }, request).status, headers)) as never;
      redirect.routing(request, response);
    };
    const servers = [
      await listenForHttp(plain, { port: httpPort, host: connectTo }, silentLogger),
      await listenForHttps(
        listener,
        { port: httpsPort, host: connectTo },
        { certificate: file('cert.pem'), key: file('key.pem') },
        silentLogger,
      ),
    ];
    try {
      return await work();
    } finally {
      for (const server of servers) await server.close();
    }
  };
  /** What the doctor finds. */
  const examined = (change: Change = (same) => same, now: () => number = Date.now) =>
    running(change, () =>
      examine(deployment, { connectTo, now, ca: readFileSync(file('cert.pem'), 'utf8') }),
    );
  const wrongIn = (findings: readonly Finding[]): readonly string[] =>
    findings.flatMap(({ outcome, problem, advice }) => {
      // Each says what to do.
      if (outcome === 'wrong') expect(advice).toMatch(/[.?]$/);
      return outcome === 'wrong' ? (problem ?? '') : [];
    });
  /** A header with another value; `null`: without it. */
  const withHeader =
    (
      name: string,
      value: string | null,
      isMeant: (request: IncomingMessage) => boolean = () => true,
    ): Change =>
    (answer, request) => {
      const { [name]: _former, ...headers } = answer.headers;
      if (!isMeant(request)) return answer;
      return { ...answer, headers: value === null ? headers : { ...headers, [name]: value } };
    };
  const isFor =
    (host: string, path = '') =>
    ({ headers, url = '' }: IncomingMessage) =>
      headers.host?.startsWith(`${host}.`) === true && url.startsWith(path);
  const isAsset = isFor('login', '/assets/');

  it('finds nothing wrong with a process of the deployment, and leaves nothing behind', async () => {
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
          'signing keys',
          'certificate file',
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

  it.each<[string, Change, string]>([
    [
      'a header is missing',
      withHeader('referrer-policy', null),
      '/login lacks the header Referrer-Policy; it has to be: no-referrer',
    ],
    [
      'a header says something else',
      withHeader('content-security-policy', "default-src 'none'"),
      'has another Content-Security-Policy: ',
    ],
    [
      'a page that holds a secret may be framed',
      withHeader('x-frame-options', 'SAMEORIGIN', isFor('login', '/unauthorized')),
      '/unauthorized has another X-Frame-Options: SAMEORIGIN instead of: DENY',
    ],
    [
      'the page is cached',
      withHeader('cache-control', 'public, max-age=600', isFor('login', '/login')),
      "/login has Cache-Control 'public, max-age=600' instead of 'no-store'.",
    ],
    [
      'assets are asked for again and again',
      withHeader('cache-control', 'no-cache', isAsset),
      "has Cache-Control 'no-cache' instead of 'public, max-age=31536000, immutable'.",
    ],
    ['Brotli is off', withHeader('content-encoding', null, isAsset), 'is not compressed with Brotli'],
    [
      'http leads elsewhere',
      (answer) => (answer.status === 301 ? { ...answer, status: 302 } : answer),
      'responds with 302 and does not lead to https://login.example.test',
    ],
    [
      'managers of passwords are led nowhere',
      withHeader('location', '/login', isFor('login', '/.well-known/change-password')),
      'does not lead to /reset-password-verify.',
    ],
    [
      'the supplier host may not use passkeys',
      withHeader('content-type', 'text/html', isFor('login', '/.well-known/webauthn')),
      'responds with 200 and is not: {"origins":["https://login',
    ],
    [
      'the cookies are of another domain',
      withHeader('set-cookie', 'payments-session=; Path=/; Domain=login.example.test; Max-Age=0'),
      'does not expire the cookies of the session as the page writes them',
    ],
    [
      'any page may call the service',
      withHeader('access-control-allow-origin', '*', isFor('api')),
      'The service lets pages of strangers call it: Access-Control-Allow-Origin is * for https://doctor.example.invalid.',
    ],
    [
      'health can be read under the name of the service',
      (answer, { url }) => (url === '/ready' ? { ...answer, status: 200 } : answer),
      '/ready responds with 200 instead of 404.',
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
    const findings = await running(
      (same) => same,
      () => examine(deployment, { connectTo, now: Date.now, ca: readFileSync(known, 'utf8') }),
    );
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
    await service.close();
    await startService({ PASSKEYS_RP_ID: 'example.test' });
    const wrong = wrongIn(await examined());
    await service.close();
    await startService();
    expect(wrong).toEqual([
      expect.stringMatching(
        /responds with 200 and the relying party example\.test instead of login\.example\.test\.$/,
      ),
    ]);
  });

  it('finds that the page is of another configuration', async () => {
    await openPage({ ...deployment.page, environment: 'other' });
    const wrong = wrongIn(await examined());
    await openPage(deployment.page);
    expect(wrong[0]).toBe(
      `The page on login.example.test:${testDeployment.httpsPort} has another configuration than the file of the deployment.`,
    );
  });

  it('finds a port of the service that is open', async () => {
    const open = createServer().listen(metricsPort, connectTo);
    await once(open, 'listening');
    const wrong = wrongIn(await examined());
    open.close();
    expect(wrong).toEqual([`Port ${metricsPort} of api.example.test is open to the outside.`]);
  });

  it('finds that the service was given other origins, and that it does not answer', async () => {
    await service.close();
    await startService({ ALLOWED_ORIGINS: 'https://other.example.test' });
    const refused = wrongIn(await examined());
    await service.close();
    const gone = wrongIn(await examined());
    await startService();
    expect(refused).toContain(
      `The service does not let the page on https://login.example.test:${testDeployment.httpsPort} call it: Access-Control-Allow-Origin is missing.`,
    );
    expect(gone.join('\n')).toContain('The service breaks the contract at getLoginMethods');
  });

  it('prints sentences, or lines of JSON, and exits with 1 if anything is wrong', async () => {
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
    const good = await running(
      (same) => same,
      () => run(),
    );
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

  test.each<[string, string]>([
    ['auto', 'warning  one-time links: A mail scanner that runs the page uses up the links'],
    ['click', 'ok       one-time links: page.oneTimeLinks'],
  ])('with oneTimeLinks: %s it says what mail scanners do', async (value, line) => {
    const { page } = readDeployment(text.replace('oneTimeLinks: click', `oneTimeLinks: ${value}`));
    expect(formatFinding(await scannerFinding(page))).toContain(line);
  });

  describe('the file of the certificate', () => {
    const said = async (now = Date.now(), environment = deployment.environment) =>
      (await fileFindings({ environment }, now)).map(formatFinding).join('\n');

    it('is not looked for where there is none', async () => {
      expect(await said(Date.now(), {})).toBe('');
    });

    it('is right with its key, and wrong 14 days before its end or with the key of another certificate', async () => {
      expect(await said()).toMatch(/^ok       certificate file: .*cert\.pem: valid until \d{4}-\d\d-\d\d$/);
      const { environment } = deployment;
      expect(await said(Date.now() + 79.5 * 86_400_000)).toMatch(/^WRONG    .* ends in 10 days, on /);
      certify(['other.example.test'], 90, 'other');
      const key = { ...environment, TLS_KEY_FILE: file('other-key.pem') };
      expect(await said(Date.now(), key)).toMatch(
        /^WRONG    .* are not a certificate and its key in PEM format\./,
      );
    });

    it('is wrong where it is missing, and not checked on another machine', async () => {
      rmSync(file('cert.pem'));
      const line = `${file('cert.pem')} cannot be read here (ENOENT).`;
      expect(await said()).toContain(`WRONG    certificate file: ${line}`);
      const elsewhere = { ...deployment.environment, DATABASE_URL_FILE: file('gone') };
      expect(await said(Date.now(), elsewhere)).toBe(
        `skipped  certificate file: ${file('cert.pem')}: ${line}`,
      );
    });
  });
});
