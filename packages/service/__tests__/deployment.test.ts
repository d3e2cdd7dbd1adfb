import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { extensionNames } from '@vestibule/contract/document';
import { parse, stringify } from 'yaml';
import { readDeployment } from '../src/deployment.ts';
import { createTestDeployment } from './support/testDeployment.ts';

type File = Record<string, Record<string, unknown>>;
type Change = (file: File) => void;

let text: string;

beforeAll(async () => {
  const deployment = await createTestDeployment();
  deployment.remove();
  text = deployment.deployment.replaceAll(/:[0-9]{4,5}/g, '');
});

const changed = (change: Change): string => {
  const file = parse(text) as File;
  change(file);
  return stringify(file);
};

const variables = (file: File) => file['service']?.['environment'] as Record<string, unknown>;
const part = (name: string) => (changes: object) => (file: File) => Object.assign(file[name] ?? {}, changes);
const [page, service] = [part('page'), part('service')];
const theme =
  (changes: object): Change =>
  (file) => {
    const brands = file['page']?.['brands'] as { default: Record<string, unknown> };
    brands.default['theme'] = { primary: '#635bff', ...changes };
  };
const reports = { id: 'reports', name: 'Reports' };
/** Passkeys have to fit the host too. */
const cookiesOf = (host: string, domain: string): Change =>
  page({ signOnUrl: `https://${host}`, cookies: { prefix: 'acme', domain }, passkeys: { rpId: host } });
const variable = (changes: object) => (file: File) => Object.assign(variables(file), changes);

test('a deployment derives from the page what the service has to agree with', () => {
  const { environment } = readDeployment(
    changed((file) => {
      variable({ GOOGLE_CLIENT_SECRET_FILE: '/etc/vestibule/google' })(file);
      page({ google: { clientId: 'client', authorizationUrl: 'https://accounts.example.test/' } })(file);
      service({ applicationOrigins: ['https://hub.example.test'] })(file);
    }),
  );
  expect(environment).toMatchObject({
    ISSUER: 'https://api.example.test',
    ALLOWED_ORIGINS:
      'https://login.example.test,https://suppliers.example.test,https://go.example.test,https://hub.example.test',
    SIGN_ON_URL: 'https://login.example.test',
    SHORT_LINK_URL: 'https://go.example.test',
    GOOGLE_CLIENT_ID: 'client',
    PROVIDER_REDIRECT_URI: 'https://login.example.test/oauth-redirect',
  });
});

test('keys of the page have the defaults of a deployment with two names', () => {
  const { page } = readDeployment(
    changed((file) => {
      for (const key of [
        'environment',
        'parentOrigins',
        'shortLinkHosts',
        'supplierHosts',
        'google',
        'microsoft',
      ])
        delete file['page']?.[key];
    }),
  );
  expect(page).toMatchObject({
    environment: 'production',
    parentOrigins: [],
    shortLinkHosts: [],
    supplierHosts: [],
    google: { clientId: 'none' },
  });
  expect(page).not.toHaveProperty('reportsTo');
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
  ['web is not known.', (file) => (file['web'] = {})],
  ...[
    'https://reports.example;script-src *',
    'https://?',
    'https://[::1]:4443/in',
    'https://re_ports.example.test/in',
  ].map((reportsTo): [string, Change] => [
    reportsTo === 'https://?' || reportsTo.includes('*')
      ? 'page'
      : 'page.reportsTo must be an https address, without quotes',
    page({ reportsTo }),
  ]),
  ...['https://x;script-src', 'https://*.example.test', "https://'none'", 'https://a"b', 'https://$host'].map(
    (origin): [string, Change] => [
      "page: Configuration key 'parentOrigins.0' must be an origin",
      page({ parentOrigins: [origin] }),
    ],
  ),
  [
    'page.serviceUrl must be https and a host only, of letters, digits, hyphens and dots.',
    page({ serviceUrl: 'https://api.example.test/sso' }),
  ],
  [
    'service.environment: TRANSPORT_SECURITY must be max-age=SECONDS, then optionally ; includeSubDomains and ; preload.',
    variable({ TRANSPORT_SECURITY: 'max-age=1 year' }),
  ],
  ['service.environment: TLS_KEY_FILE is not set.', (file) => delete variables(file)['TLS_KEY_FILE']],
  [
    'service.environment.LOCKOUT_ATEMPTS is not a variable that the service reads here: the nearest name is LOCKOUT_ATTEMPTS.',
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
  ['page.serviceUrl must be on a host of its own.', page({ serviceUrl: 'https://login.example.test:8443' })],
  [
    'page.refreshGraceSeconds must not be above 10, the period of the service.',
    page({ refreshGraceSeconds: 60 }),
  ],
  [
    'service.environment.DATABASE_URL is a secret: put it into a file and name that as DATABASE_URL_FILE.',
    variable({ DATABASE_URL: 'postgres://u:p@h/d' }),
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
  [
    "page.brands.default.theme.primary (#ffb3c7) has a contrast of 1.67:1 with surface of the look (#ffffff) in the light scheme, and needs 3:1. The theme passes with primary: { light: '#12242b', dark: '#ffb3c7' }, onPrimary: { light: '#ffb3c7', dark: '#000000' }.",
    theme({ primary: '#ffb3c7' }),
  ],
  ['page.brands.default.theme.logo (missing.svg) cannot be read: ', theme({ logo: 'missing.svg' })],
  [
    "'brands.default.theme.primary' must be '#rrggbb' in quotes, or { light: '#rrggbb', dark: '#rrggbb' } with both",
    theme({ primary: 'red' }),
  ],
  ["'brands.default.theme.radius' must be a number from 0 to 24", theme({ radius: 25 })],
  [
    'page.brands.default.themes is not known: the nearest name is theme.',
    (file) => Object.assign((file['page']?.['brands'] as { default: object }).default, { themes: {} }),
  ],
  [
    'page.brands.default.theme.onprimary is not known: the nearest name is onPrimary.',
    theme({ onprimary: '#ffffff' }),
  ],
  [
    'page.cookies.samesite is not known: the nearest name is sameSite.',
    page({ cookies: { prefix: 'payments', samesite: 'Lax' } }),
  ],
  ['page.signOnURL is not known: the nearest name is signOnUrl.', page({ signOnURL: 'https://x.test' })],
  ['page.wallpaper is not known.', page({ wallpaper: 'blue' })],
  ["page.extensions lists 'fingerprints', which is not known.", page({ extensions: ['fingerprints'] })],
  [
    'page.cookies.domain is co.uk, a public suffix, below which others have names too: browsers refuse its cookies. Use acme.co.uk.',
    cookiesOf('login.acme.co.uk', 'co.uk'),
  ],
  [
    'page.cookies.domain is herokuapp.com, a public suffix, below which others have names too: browsers refuse its cookies. Use acme.herokuapp.com.',
    cookiesOf('acme.herokuapp.com', 'herokuapp.com'),
  ],
  [
    'page.cookies.domain is github.io, a public suffix, below which others have names too: browsers refuse its cookies. Leave it out.',
    cookiesOf('github.io', 'github.io'),
  ],
  ['service.environment.MAIL_LOOK follows from the other keys', variable({ MAIL_LOOK: '{}' })],
  ["page.languages lists 'sv'. Shipped are en, ", page({ languages: ['en', 'sv'] })],
  ['service.environment.LANGUAGES follows from the other keys', variable({ LANGUAGES: 'de' })],
  ['service.environment.CLIENTS follows from the other keys', variable({ CLIENTS: '[]' })],
  ['service.clients.0.name is missing', service({ clients: [{ id: 'reports' }] })],
  ['service.clients.0.secret is not known', service({ clients: [{ ...reports, secret: 'x' }] })],
  [
    'service.clients.0.redirectUris.0 must be an https address',
    service({ clients: [{ ...reports, redirectUris: ['http://reports.example.com/'] }] }),
  ],
  [
    'service.clients.0.secretHash must be sha256: and 64 digits',
    service({ clients: [{ ...reports, secretHash: 'abc' }] }),
  ],
  ['service.clients must not have two clients with one id', service({ clients: [reports, reports] })],
])('a faulty file is refused: %s', (sentence, change) => {
  expect(() => readDeployment(changed(change))).toThrow(sentence);
});

test('clients reach the service, with the paths of their secrets from the folder of the file', () => {
  const given = changed((file) => {
    service({ clients: [{ ...reports, secretFile: 'secrets/reports' }] })(file);
    page({ extensions: extensionNames() })(file);
  });
  const { environment } = readDeployment(given, '/etc/vestibule');
  expect(JSON.parse(environment['CLIENTS'] ?? '')).toEqual([
    expect.objectContaining({
      id: 'reports',
      secretFile: ['/etc/vestibule/secrets/reports'],
      secretHash: [],
    }),
  ]);
});

test('the service has the languages of the page', () => {
  const { environment } = readDeployment(changed(page({ languages: ['de', 'en'] })));
  expect(environment['LANGUAGES']).toBe('de,en');
});

test('mails have the look of the default brand if it has a theme', () => {
  expect(readDeployment(text).environment).not.toHaveProperty('MAIL_LOOK');
  const { environment } = readDeployment(
    changed(theme({ primary: { light: '#0a5a66', dark: '#6fc9d3' }, radius: 3 })),
  );
  expect(JSON.parse(environment['MAIL_LOOK'] ?? '')).toMatchObject({
    radius: 3,
    light: { button: '#0a5a66', onButton: '#ffffff' },
    dark: { button: '#6fc9d3', onButton: '#000000' },
  });
});

test('all faults of the themes are reported at once', () => {
  const given = changed((file) => {
    theme({ text: '#9a9a9a', radius: 25, background: 'white', logo: 'https://cdn.test/a.svg', font: 'a' })(
      file,
    );
    const brands = file['page']?.['brands'] as Record<string, { theme?: object }>;
    Object.assign(brands['supplier-hub'] ?? {}, { theme: { logo: 'b.svg' } });
  });
  expect(() => readDeployment(given, '/srv')).toThrow(
    [
      "page: Configuration key 'brands.default.theme.background' must be '#rrggbb' in quotes, or { light: '#rrggbb', dark: '#rrggbb' } with both.",
      "page: Configuration key 'brands.default.theme.radius' must be a number from 0 to 24.",
      "page.brands.default.theme.text (#9a9a9a) has a contrast of 2.81:1 with surface of the look (#ffffff) in the light scheme, and needs 4.5:1. The theme passes with text: { light: '#6d6d6d', dark: '#9a9a9a' }.",
      "page: Configuration key 'brands.supplier-hub.theme.primary' is missing.",
      'page.brands.default.theme.logo (https://cdn.test/a.svg) must be a file of the deployment, not an address: download it, and give its path.',
      'page.brands.default.theme.font (a) cannot be read: /srv/a is not there, or not readable.',
      'page.brands.supplier-hub.theme.logo (b.svg) cannot be read: /srv/b.svg is not there, or not readable.',
    ].join('\n'),
  );
});

test('the page does not name the files of a theme', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-theme-'));
  writeFileSync(path.join(folder, 'acme.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"/>');
  const { page, themes } = readDeployment(changed(theme({ logo: 'acme.svg' })), folder);
  rmSync(folder, { recursive: true });
  expect(JSON.stringify(page)).not.toContain('acme.svg');
  expect(themes.addresses['default']?.logo).toMatchObject({ aspect: 3 });
});

test('a file that is no YAML is refused', () => {
  expect(() => readDeployment('page: [')).toThrow('The file is not valid YAML');
});
