import { readdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { configure } from '../../src/cli/configure.ts';
import { readDeployment } from '../../src/cli/deployment.ts';
import { createTestDeployment, writeSmallBuild } from '../support/testDeployment.ts';

type Change = (file: Record<string, Record<string, unknown>>) => void;

let text: string;

beforeAll(async () => {
  const deployment = await createTestDeployment();
  deployment.remove();
  text = deployment.deployment.replaceAll(/:[0-9]{4,5}/g, '');
});

const changed = (change: Change): string => {
  const file = parse(text.replace("'127.0.0.1'", "'127.0.0.1:4001'")) as Record<
    string,
    Record<string, unknown>
  >;
  change(file);
  return stringify(file);
};

const variables = (file: Record<string, Record<string, unknown>>) =>
  file['service']?.['environment'] as Record<string, unknown>;

test('a deployment derives from the page what the service has to agree with', () => {
  const { environment } = readDeployment(
    changed((file) => {
      variables(file)['GOOGLE_CLIENT_SECRET_FILE'] = '/etc/vestibule/google';
      Object.assign(file['service'] ?? {}, { applicationOrigins: ['https://hub.example.test'] });
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
    PASSKEYS_RP_ID: 'login.example.test',
    PASSKEYS_ORIGINS: 'https://login.example.test,https://suppliers.example.test',
    PASSKEYS_PARENT_ORIGINS: 'https://hub.apps.example.test',
  });
});

test('the page reports its crashes where browsers report theirs, and nowhere unless that is said', () => {
  const reportsTo = 'https://reports.example.test/in?from=login';
  const { page, block } = readDeployment(changed(({ web }) => Object.assign(web ?? {}, { reportsTo })));
  expect(page.reportsTo).toBe(reportsTo);
  expect(block).toMatchObject({ reportsTo });
  expect(readDeployment(changed(() => undefined)).block).not.toHaveProperty('reportsTo');
});

test('processes on other machines are reached over TLS, or in clear text where the network is said to be protected', () => {
  const elsewhere = (how: object) =>
    readDeployment(
      changed((file) => {
        Object.assign(file['service'] ?? {}, { nodes: ['10.0.0.2:4001'], ...how });
        variables(file)['TRUSTED_PROXIES'] = '10.0.0.1';
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
      changed(({ web = {} }) => {
        delete web['certificate'];
        delete web['certificateKey'];
        web['balancer'] = { addresses: ['10.0.0.3'], ...balancer };
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
  const { environment } = readDeployment(
    changed((file) => {
      Object.assign(variables(file), {
        SMTP_URL_FILE: '/etc/vestibule/smtp-url',
        MAIL_FROM: 'Payments <no-reply@example.test>',
        TWILIO_ACCOUNT_SID: 'AC1',
        TWILIO_AUTH_TOKEN_FILE: '/etc/vestibule/twilio-token',
        TWILIO_FROM: '+12025550100',
      });
    }),
  );
  expect(environment).toMatchObject({ TWILIO_AUTH_TOKEN_FILE: '/etc/vestibule/twilio-token' });
});

test.each<[string, Change, string]>([
  [
    'the secret of a webhook in the file itself',
    (file) => Object.assign(variables(file), { TEXT_WEBHOOK_SECRET: 'c2VjcmV0' }),
    'service.environment.TEXT_WEBHOOK_SECRET is a secret: put it into a file and name that as TEXT_WEBHOOK_SECRET_FILE.',
  ],
  ['a part that is missing', (file) => delete file['web'], 'web is missing.'],
  ['a key that is missing', ({ web }) => delete web?.['certificate'], 'web.certificate is missing.'],
  [
    'a key that is unknown',
    ({ web }) => Object.assign(web ?? {}, { certficate: '/x' }),
    'web.certficate is not known.',
  ],
  [
    'a path that would end a directive of nginx',
    ({ web }) => Object.assign(web ?? {}, { certificate: '/etc/x;} server {' }),
    'web.certificate must be an absolute path of letters, digits and . _ @ + - /.',
  ],
  [
    'an address for reports that would end a directive',
    ({ web }) => Object.assign(web ?? {}, { reportsTo: 'https://reports.example;script-src *' }),
    'web.reportsTo must be an https address, without quotes, commas and semicolons.',
  ],
  [
    'an address for reports that is none',
    ({ web }) => Object.assign(web ?? {}, { reportsTo: 'https://?' }),
    'web.reportsTo must be an https address with a host of letters, digits, hyphens and dots.',
  ],
  [
    'an address for reports of a numbered host',
    ({ web }) => Object.assign(web ?? {}, { reportsTo: 'https://[::1]:4443/in' }),
    'web.reportsTo must be an https address with a host of letters, digits, hyphens and dots.',
  ],
  [
    'an address for reports of a host with an underscore',
    ({ web }) => Object.assign(web ?? {}, { reportsTo: 'https://re_ports.example.test/in' }),
    'web.reportsTo must be an https address with a host of letters, digits, hyphens and dots.',
  ],
  [
    'an address for reports in the part of the page',
    ({ page }) => Object.assign(page ?? {}, { reportsTo: 'https://reports.example.test/in' }),
    'page.reportsTo follows from web.reportsTo: leave it out.',
  ],
  [
    'a node without a port',
    ({ service }) => Object.assign(service ?? {}, { nodes: ['127.0.0.1'] }),
    'service.nodes.0 must be host:port.',
  ],
  ...['https://x;script-src', 'https://*.example.test', "https://'none'", 'https://a"b', 'https://$host'].map(
    (origin): [string, Change, string] => [
      `a parent's origin that would change a header or nginx's configuration (${origin})`,
      ({ page }) => Object.assign(page ?? {}, { parentOrigins: [origin] }),
      "page: Configuration key 'parentOrigins.0' must be an origin",
    ],
  ),
  [
    'an address of the service that would end a directive of nginx',
    ({ page }) => Object.assign(page ?? {}, { serviceUrl: 'https://api.example.test/;}' }),
    'page.serviceUrl must be https, of letters, digits, hyphens and dots.',
  ],
  ...['10.0.0.2:4001', '127.example.test:4001'].flatMap((node): [string, Change, string][] => [
    [
      `a process on another machine without the addresses of nginx (${node})`,
      ({ service }) => Object.assign(service ?? {}, { nodes: [node], protectedNetwork: true }),
      'service.environment.TRUSTED_PROXIES is missing: processes on other machines need the addresses of nginx.',
    ],
    [
      `a process on another machine in clear text (${node})`,
      (file) => {
        Object.assign(file['service'] ?? {}, { nodes: [node], protectedNetwork: false });
        variables(file)['TRUSTED_PROXIES'] = '10.0.0.1';
      },
      'service.tls is missing: passwords would travel to other machines in clear text.',
    ],
  ]),
  [
    'a process that only one of several machines reaches',
    ({ service }) => Object.assign(service ?? {}, { nodes: ['127.0.0.1:4001', '10.0.0.2:4001'] }),
    'service.nodes names other machines, so 127.0.0.1:4001 must be an address of its machine that nginx reaches.',
  ],
  [
    'a balancer without addresses',
    ({ web }) => Object.assign(web ?? {}, { balancer: { addresses: [] } }),
    'web.balancer.addresses must name an address.',
  ],
  [
    'a name as the address of a balancer',
    ({ web }) => Object.assign(web ?? {}, { balancer: { addresses: ['balancer.example.test'] } }),
    'web.balancer.addresses.0 must be an address or a range such as 203.0.113.0/24.',
  ],
  [
    'a header of a balancer that would end a directive of nginx',
    ({ web }) =>
      Object.assign(web ?? {}, { balancer: { addresses: ['10.0.0.3'], clientAddress: 'X-Client; allow' } }),
    'web.balancer.clientAddress must be a header or proxy-protocol.',
  ],
  [
    'a value of HSTS that browsers would ignore',
    ({ web }) => Object.assign(web ?? {}, { transportSecurity: 'max-age=1 year' }),
    'web.transportSecurity must be max-age=SECONDS, then optionally ; includeSubDomains and ; preload.',
  ],
  [
    'a variable that is mistyped',
    (file) => Object.assign(variables(file), { LOCKOUT_ATEMPTS: 3 }),
    'service.environment.LOCKOUT_ATEMPTS is not a variable that the service reads here.',
  ],
  [
    'a variable that would add another',
    (file) => Object.assign(variables(file), { 'PRODUCT_NAME=x\nNODE_OPTIONS': '--inspect' }),
    'is not a variable that the service reads here.',
  ],
  [
    'a variable of two lines',
    (file) => Object.assign(variables(file), { PRODUCT_NAME: 'x\nNODE_OPTIONS=--inspect' }),
    'service.environment.PRODUCT_NAME must be text of one line.',
  ],
  [
    'a page that its own check refuses',
    ({ page }) => Object.assign(page ?? {}, { redirectHosts: ['*.com'] }),
    "page: Configuration key 'redirectHosts.0' must be a host, or a pattern such as *.example.com:8443.",
  ],
  [
    'a page without https',
    ({ page }) => Object.assign(page ?? {}, { signOnUrl: 'http://login.example.test' }),
    'page.signOnUrl must be https.',
  ],
  [
    'a service on the host of the page',
    ({ page }) => Object.assign(page ?? {}, { serviceUrl: 'https://login.example.test/api' }),
    'page.serviceUrl must be on a host of its own.',
  ],
  [
    'a grace period that the service does not have',
    ({ page }) => Object.assign(page ?? {}, { refreshGraceSeconds: 60 }),
    'page.refreshGraceSeconds must not be above 10, the period of the service.',
  ],
  [
    'a secret in the file itself',
    (file) => Object.assign(variables(file), { DATABASE_URL: 'postgres://u:p@h/d' }),
    'service.environment.DATABASE_URL is a secret: put it into a file and name that as DATABASE_URL_FILE.',
  ],
  [
    'no encryption key',
    (file) => delete variables(file)['ENCRYPTION_KEY_FILE'],
    'service.environment.ENCRYPTION_KEY_FILE is missing.',
  ],
  [
    'a placeholder of an example in the part of the page',
    ({ page }) =>
      Object.assign(page ?? {}, { google: { clientId: '…', authorizationUrl: 'https://x.test' } }),
    'page.google.clientId is a placeholder: give its value.',
  ],
  [
    'a placeholder of an example among the variables',
    (file) => Object.assign(variables(file), { TWILIO_ACCOUNT_SID: 'AC…' }),
    'service.environment.TWILIO_ACCOUNT_SID is a placeholder: give its value.',
  ],
  [
    'a variable that the page determines',
    (file) => Object.assign(variables(file), { ISSUER: 'https://other.example' }),
    'service.environment.ISSUER follows from the other keys: leave it out.',
  ],
  [
    'a variable that the service refuses',
    (file) => Object.assign(variables(file), { LOCKOUT_ATTEMPTS: 'many' }),
    'service.environment: LOCKOUT_ATTEMPTS must be a whole number from 1 to 1000.',
  ],
])('%s is refused with a sentence that names it', (_what, change, sentence) => {
  expect(() => readDeployment(changed(change))).toThrow(sentence);
});

test('a file that is no YAML is refused', () => {
  expect(() => readDeployment('page: [')).toThrow('The file is not valid YAML');
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
