import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { configure } from '../../src/cli/configure.ts';
import { readDeployment } from '../../src/cli/deployment.ts';
import { createTestDeployment, writeSmallBuild } from '../support/testDeployment.ts';

type File = Record<string, Record<string, unknown>>;
type Change = (file: File) => void;

let text: string;

beforeAll(async () => {
  const deployment = await createTestDeployment();
  deployment.remove();
  text = deployment.deployment.replaceAll(/:[0-9]{4,5}/g, '');
});

const changed = (change: Change): string => {
  const file = parse(text.replace("'127.0.0.1'", "'127.0.0.1:4001'")) as File;
  change(file);
  return stringify(file);
};

const variables = (file: File) => file['service']?.['environment'] as Record<string, unknown>;
const part = (name: string) => (changes: object) => (file: File) => Object.assign(file[name] ?? {}, changes);
const [page, web, service] = [part('page'), part('web'), part('service')];
const variable = (changes: object) => (file: File) => Object.assign(variables(file), changes);

test('a deployment derives from the page what the service has to agree with', () => {
  const { environment } = readDeployment(
    changed((file) => {
      variable({ GOOGLE_CLIENT_SECRET_FILE: '/etc/vestibule/google' })(file);
      service({ applicationOrigins: ['https://hub.example.test'] })(file);
    }),
  );
  expect(environment).toMatchObject({
    ISSUER: 'https://api.example.test',
    ALLOWED_ORIGINS:
      'https://login.example.test,https://suppliers.example.test,https://go.example.test,https://hub.example.test',
    SIGN_ON_URL: 'https://login.example.test',
    SHORT_LINK_URL: 'https://go.example.test',
    TRUSTED_PROXIES: '127.0.0.1,::1',
    GOOGLE_CLIENT_ID: 'client',
    PROVIDER_REDIRECT_URI: 'https://login.example.test/oauth-redirect',
  });
});

test('the page reports its crashes where browsers report theirs, and nowhere unless that is said', () => {
  const reportsTo = 'https://reports.example.test/in?from=login';
  expect(readDeployment(changed(web({ reportsTo }))).page.reportsTo).toBe(reportsTo);
  expect(readDeployment(changed(() => undefined)).page).not.toHaveProperty('reportsTo');
});

test('processes on other machines are reached over TLS, or in clear text where the network is said to be protected', () => {
  const elsewhere = (how: object) =>
    readDeployment(
      changed((file) => {
        service({ nodes: ['10.0.0.2:4001'], ...how })(file);
        variable({ TRUSTED_PROXIES: '10.0.0.1' })(file);
      }),
    );
  const tls = {
    certificate: '/etc/vestibule/service.pem',
    certificateKey: '/etc/vestibule/service-key',
    authority: '/etc/vestibule/authority.pem',
    name: 'service.internal',
  };
  expect(elsewhere({ tls })).toMatchObject({
    nodeTls: tls,
    environment: {
      TRUSTED_PROXIES: '10.0.0.1',
      TLS_CERTIFICATE_FILE: tls.certificate,
      TLS_KEY_FILE: tls.certificateKey,
    },
  });
  expect(elsewhere({ protectedNetwork: true }).nodeTls).toBeUndefined();
});

test('a certificate is not needed where TLS ends at the balancer, and is needed behind any other', () => {
  const behind = (balancer: object) =>
    readDeployment(
      changed((file) => {
        for (const name of ['certificate', 'certificateKey']) delete file['web']?.[name];
        web({ balancer: { addresses: ['10.0.0.3'], ...balancer } })(file);
      }),
    );
  expect(behind({ endsTls: true }).web.balancer).toEqual({
    addresses: ['10.0.0.3'],
    clientAddress: 'X-Forwarded-For',
    endsTls: true,
  });
  expect(() => behind({})).toThrow('web.certificate is missing.');
});

test('a deployment names the files of the secrets of its mail server and of Twilio', () => {
  const named = variable({
    ...{ SMTP_URL_FILE: '/etc/vestibule/smtp-url', MAIL_FROM: 'Payments <no-reply@example.test>' },
    ...{ TWILIO_ACCOUNT_SID: 'AC1', TWILIO_FROM: '+12025550100' },
    TWILIO_AUTH_TOKEN_FILE: '/etc/vestibule/twilio-token',
  });
  const { environment } = readDeployment(changed(named));
  expect(environment).toMatchObject({ TWILIO_AUTH_TOKEN_FILE: '/etc/vestibule/twilio-token' });
});

test.each<[sentence: string, change: Change]>([
  [
    'service.environment.TEXT_WEBHOOK_SECRET is a secret: put it into a file and name that as TEXT_WEBHOOK_SECRET_FILE.',
    variable({ TEXT_WEBHOOK_SECRET: 'c2VjcmV0' }),
  ],
  ['web is missing.', (file) => delete file['web']],
  ['web.certificate is missing.', (file) => delete file['web']?.['certificate']],
  ['web.certficate is not known.', web({ certficate: '/x' })],
  // The value would end a directive of nginx.
  [
    'web.certificate must be an absolute path of letters, digits and . _ @ + - /.',
    web({ certificate: '/etc/x;} server {' }),
  ],
  [
    'web.reportsTo must be an https address, without quotes, commas and semicolons.',
    web({ reportsTo: 'https://reports.example;script-src *' }),
  ],
  ...['https://?', 'https://[::1]:4443/in', 'https://re_ports.example.test/in'].map(
    (reportsTo): [string, Change] => [
      'web.reportsTo must be an https address with a host of letters, digits, hyphens and dots.',
      web({ reportsTo }),
    ],
  ),
  ['page.reportsTo follows from web.reportsTo: leave it out.', page({ reportsTo: 'https://x.test/in' })],
  ['service.nodes.0 must be host:port.', service({ nodes: ['127.0.0.1'] })],
  ...['https://x;script-src', 'https://*.example.test', "https://'none'", 'https://a"b', 'https://$host'].map(
    (origin): [string, Change] => [
      "page: Configuration key 'parentOrigins.0' must be an origin",
      page({ parentOrigins: [origin] }),
    ],
  ),
  [
    'page.serviceUrl must be https, of letters, digits, hyphens and dots.',
    page({ serviceUrl: 'https://api.example.test/;}' }),
  ],
  ...['10.0.0.2:4001', '127.example.test:4001'].flatMap((node): [string, Change][] => [
    [
      'service.environment.TRUSTED_PROXIES is missing: processes on other machines need the addresses of nginx.',
      service({ nodes: [node], protectedNetwork: true }),
    ],
    [
      'service.tls is missing: passwords would be sent to other machines in clear text.',
      (file) => {
        service({ nodes: [node], protectedNetwork: false })(file);
        variable({ TRUSTED_PROXIES: '10.0.0.1' })(file);
      },
    ],
  ]),
  [
    'service.nodes names other machines, so 127.0.0.1:4001 must be an address of its machine that nginx reaches.',
    service({ nodes: ['127.0.0.1:4001', '10.0.0.2:4001'] }),
  ],
  ['web.balancer.addresses must name an address.', web({ balancer: { addresses: [] } })],
  [
    'web.balancer.addresses.0 must be an address or a range such as 203.0.113.0/24.',
    web({ balancer: { addresses: ['balancer.example.test'] } }),
  ],
  [
    'web.balancer.clientAddress must be a header or proxy-protocol.',
    web({ balancer: { addresses: ['10.0.0.3'], clientAddress: 'X-Client; allow' } }),
  ],
  [
    'web.transportSecurity must be max-age=SECONDS, then optionally ; includeSubDomains and ; preload.',
    web({ transportSecurity: 'max-age=1 year' }),
  ],
  [
    'service.environment.LOCKOUT_ATEMPTS is not a variable that the service reads here.',
    variable({ LOCKOUT_ATEMPTS: 3 }),
  ],
  // This value and the next one would add another variable.
  [
    'is not a variable that the service reads here.',
    variable({ 'PRODUCT_NAME=x\nNODE_OPTIONS': '--inspect' }),
  ],
  [
    'service.environment.PRODUCT_NAME must be text of one line.',
    variable({ PRODUCT_NAME: 'x\nNODE_OPTIONS=--inspect' }),
  ],
  [
    "page: Configuration key 'redirectHosts.0' must be a host, or a pattern such as *.example.com:8443.",
    page({ redirectHosts: ['*.com'] }),
  ],
  ['page.signOnUrl must be https.', page({ signOnUrl: 'http://login.example.test' })],
  ['page.serviceUrl must be on a host of its own.', page({ serviceUrl: 'https://login.example.test/api' })],
  [
    'page.refreshGraceSeconds must not be above 10, the period of the service.',
    page({ refreshGraceSeconds: 60 }),
  ],
  [
    'service.environment.DATABASE_URL is a secret: put it into a file and name that as DATABASE_URL_FILE.',
    variable({ DATABASE_URL: 'postgres://u:p@h/d' }),
  ],
  [
    'service.environment.ENCRYPTION_KEY_FILE is missing.',
    (file) => delete variables(file)['ENCRYPTION_KEY_FILE'],
  ],
  [
    'page.google.clientId is a placeholder: give its value.',
    page({ google: { clientId: '…', authorizationUrl: 'https://x.test' } }),
  ],
  [
    'service.environment.TWILIO_ACCOUNT_SID is a placeholder: give its value.',
    variable({ TWILIO_ACCOUNT_SID: 'AC…' }),
  ],
  [
    'service.environment.ISSUER follows from the other keys: leave it out.',
    variable({ ISSUER: 'https://other.example' }),
  ],
  [
    'service.environment: LOCKOUT_ATTEMPTS must be a whole number from 1 to 1000.',
    variable({ LOCKOUT_ATTEMPTS: 'many' }),
  ],
])('a faulty file is refused: %s', (sentence, change) => {
  expect(() => readDeployment(changed(change))).toThrow(sentence);
});

test('a file that is no YAML is refused', () => {
  expect(() => readDeployment('page: [')).toThrow('The file is not valid YAML');
});

test('a shell reads the variables of the service as they are in the file', async () => {
  const { folder, remove } = await createTestDeployment();
  const [build, out] = [path.join(folder, 'build'), path.join(folder, 'out')];
  writeSmallBuild(build);
  const name = 'Pay "$HOME" `id` \\ Ltd';
  configure(readDeployment(changed(variable({ PRODUCT_NAME: name }))), build, out, 0);
  const script = `. ${path.join(out, 'service.env')}; printf %s "$PRODUCT_NAME"`;
  expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(name);
  remove();
});

test('an open page finds the files of its build for seven days after the next one, whatever is deployed meanwhile', async () => {
  const deployment = await createTestDeployment();
  const [build, out] = [path.join(deployment.folder, 'build'), path.join(deployment.folder, 'out')];
  writeSmallBuild(build);
  const [first, second] = ['app.0123abcd.js', 'app.89abcdef.js'];
  const deployAt = (day: number) => {
    configure(readDeployment(deployment.deployment), build, out, day * 86_400_000);
    return readdirSync(path.join(out, 'page/assets')).filter((name) => name.endsWith('.js'));
  };
  const rename = (from: string, to: string) => {
    renameSync(path.join(build, 'assets', from), path.join(build, 'assets', to));
  };
  expect(deployAt(0)).toEqual([first]);
  rename(first, second);
  expect([deployAt(100), deployAt(106)]).toEqual([
    [first, second],
    [first, second],
  ]);
  expect(deployAt(108)).toEqual([second]);
  rename(second, first);
  expect(deployAt(200)).toEqual([first, second]);
  expect(deployAt(208)).toEqual([first]);
  deployment.remove();
});
