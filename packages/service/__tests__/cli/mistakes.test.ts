import {
  refusals,
  refusedWith,
  fileOf,
  foreignFileOf,
  guide,
  page,
  readme,
  service,
  text,
  variables,
  without,
  type Mistake,
} from '../support/mistakes.ts';
import { encryptionKey } from '../support/testService.ts';

const databaseUrl = (change: (url: URL) => void): Mistake[2] =>
  fileOf('database-url', ({ url }) => {
    const address = new URL(url);
    change(address);
    return address.href;
  });
const theme = (colours: object): Mistake[2] =>
  page({
    brands: {
      default: { label: 'Payments', look: 'default', theme: colours },
      'supplier-hub': { label: 'Supplier Hub', look: 'default' },
    },
  });
const reports = { id: 'reports', name: 'Reports' };

const ofThePage: readonly Mistake[] = [
  ['no signOnUrl', `page: Configuration key 'signOnUrl' is missing. ${guide}`, without('signOnUrl')],
  [
    'a signOnUrl without a scheme',
    `page: Configuration key 'signOnUrl' must be an absolute http(s) URL. ${guide}`,
    page({ signOnUrl: 'login.example.test' }),
  ],
  [
    'a signOnUrl with http',
    `page.signOnUrl must be https. ${guide}`,
    page({ signOnUrl: 'http://login.example.test' }),
  ],
  [
    'a serviceUrl with http',
    `page: Configuration key 'serviceUrl' must be an https URL, because signOnUrl is one: browsers block the calls otherwise. ${guide}`,
    page({ serviceUrl: 'http://api.example.test' }),
  ],
  [
    'one host for page and service',
    `page.serviceUrl must be on a host of its own. ${guide}`,
    page({ serviceUrl: 'https://login.example.test' }),
  ],
  [
    'a path in serviceUrl',
    `page.serviceUrl must be https and a host only, of letters, digits, hyphens and dots. ${guide}`,
    page({ serviceUrl: 'https://api.example.test/sso' }),
  ],
  [
    'a domain of cookies that is not that of the page',
    `page: Configuration key 'cookies.domain' must be the host of signOnUrl or a parent of it: browsers refuse the cookies otherwise. ${guide}`,
    page({ cookies: { prefix: 'payments', domain: 'example.com' } }),
  ],
  [
    'a mistyped key of the page',
    `page.signOnURL is not known: the nearest name is signOnUrl. ${guide}`,
    page({ signOnURL: 'https://login.example.test' }),
  ],
  [
    'a language that is not shipped',
    `page.languages lists 'xx'. Shipped are en, ar, de, es, fr, it, ja, nl, pl, pt-BR, zh-Hans. See docs/behaviour.md#languages.`,
    page({ languages: ['en', 'xx'] }),
  ],
  [
    'a language twice',
    "page.languages lists 'de' twice. See docs/behaviour.md#languages.",
    page({ languages: ['de', 'en', 'de'] }),
  ],
  [
    'a language by its name',
    "page: Configuration key 'languages.1' must be a language tag such as pt-BR. See docs/behaviour.md#languages.",
    page({ languages: ['en', 'German'] }),
  ],
  [
    'an unknown extension',
    `page.extensions lists 'fingerprints', which is not known. ${guide}`,
    page({ extensions: ['fingerprints'] }),
  ],
  [
    'Google without its secret',
    `GOOGLE_CLIENT_SECRET is not set. ${readme}`,
    page({
      google: { clientId: 'client', authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth' },
    }),
  ],
  [
    'a theme of too low a contrast',
    `page.brands.default.theme.primary (#ffb3c7) has a contrast of 1.67:1 with surface of the look (#ffffff) in the light scheme, and needs 3:1. The theme passes with primary: { light: '#12242b', dark: '#ffb3c7' }, onPrimary: { light: '#ffb3c7', dark: '#000000' }. ${guide}`,
    theme({ primary: '#ffb3c7' }),
  ],
  [
    'a theme with the name of a colour',
    `page: Configuration key 'brands.default.theme.primary' must be '#rrggbb' in quotes, or { light: '#rrggbb', dark: '#rrggbb' } with both. ${guide}`,
    theme({ primary: 'red' }),
  ],
  [
    'a theme with a colour without quotes',
    `page: Configuration key 'brands.default.theme.primary' must be '#rrggbb' in quotes, or { light: '#rrggbb', dark: '#rrggbb' } with both. ${guide}`,
    // '#' begins a comment.
    text((yaml) => yaml.replace('COLOUR', '#8a2b0e'), theme({ primary: 'COLOUR' })),
  ],
  [
    'a theme with a logo of another host',
    `page.brands.default.theme.logo (https://cdn.example.test/acme.svg) must be a file of the deployment, not an address: download it, and give its path. ${guide}`,
    theme({
      primary: { light: '#8a2b0e', dark: '#ffb59a' },
      logo: 'https://cdn.example.test/acme.svg',
    }),
  ],
  [
    'a theme with a missing logo',
    `page.brands.default.theme.logo (missing.svg) cannot be read: FOLDER/missing.svg is not there, or not readable. ${guide}`,
    theme({ primary: { light: '#8a2b0e', dark: '#ffb59a' }, logo: 'missing.svg' }),
  ],
];

const ofTheFile: readonly Mistake[] = [
  [
    'an empty file',
    `The file is not understood (Invalid type: Expected Object but received null). ${guide}`,
    text(() => ''),
  ],
  [
    'a mistyped part of the file',
    `servce is not known: the nearest name is service. ${guide}`,
    text((yaml) => yaml.replace('service:', 'servce:')),
  ],
  [
    'a tab',
    'The file is not valid YAML: Tabs are not allowed as indentation at line 1, column 1:',
    text((yaml) => `\t${yaml}`),
  ],
  [
    'a key twice',
    'The file is not valid YAML: Map keys must be unique at line 3, column 3:',
    text((yaml) => yaml.replace('page:\n', 'page:\n  environment: twice\n')),
  ],
  [
    'a mistyped key of a client',
    `service.clients.0.redirectUri is not known: the nearest name is redirectUris. ${guide}`,
    service({ clients: [{ ...reports, redirectUri: 'https://reports.example.test/' }] }),
  ],
  [
    'a client with a redirect to http',
    `service.clients.0.redirectUris.0 must be an https address without a user, a fragment and wildcards, http on this machine, or an address of a scheme such as com.example.app:/. ${guide}`,
    service({ clients: [{ ...reports, redirectUris: ['http://reports.example.test/'] }] }),
  ],
];

const ofVariables: readonly Mistake[] = [
  [
    'a mistyped variable',
    `service.environment.PRODUCTNAME is not a variable that the service reads here: the nearest name is PRODUCT_NAME. ${guide}`,
    variables(() => ({ PRODUCTNAME: 'Payments' })),
  ],
  [
    'a secret in the file',
    `service.environment.SMTP_URL is a secret: put it into a file and name that as SMTP_URL_FILE. ${guide}`,
    variables(() => ({ SMTP_URL: 'smtps://user:password@mail.example.test' })),
  ],
  [
    'a mail server without a sender',
    `service.environment: MAIL_FROM is not set. ${guide}`,
    variables(({ folder }) => ({ SMTP_URL_FILE: `${folder}/smtp-url` })),
  ],
  [
    'proxies by name',
    `service.environment: TRUSTED_PROXIES must hold addresses or ranges such as 203.0.113.0/24. ${guide}`,
    variables(() => ({ TRUSTED_PROXIES: 'proxy.example.test' })),
  ],
  [
    'sessions of no length',
    `service.environment: SESSION_SECONDS must be a whole number from 1 to 31536000. ${guide}`,
    variables(() => ({ SESSION_SECONDS: 0 })),
  ],
  [
    'a port in words',
    `service.environment: PORT must be a whole number from 0 to 65535. ${guide}`,
    variables(() => ({ PORT: 'https' })),
  ],
  [
    'a port above 65535',
    `service.environment: PORT must be a whole number from 0 to 65535. ${guide}`,
    variables(() => ({ PORT: 70_000 })),
  ],
];

const ofTheMachine: readonly Mistake[] = [
  [
    'a port of redirects that another program has',
    'REDIRECT_PORT: listen EADDRINUSE: address already in use :::TAKEN',
    variables(({ takenPort }) => ({ REDIRECT_PORT: takenPort })),
  ],
  [
    'a missing file of a secret',
    `DATABASE_URL_FILE: ENOENT: no such file or directory, open 'FOLDER/none'. ${readme}`,
    variables(({ folder }) => ({ DATABASE_URL_FILE: `${folder}/none` })),
  ],
  [
    'an unreadable file of a secret',
    `DATABASE_URL_FILE: EISDIR: illegal operation on a directory, read. ${readme}`,
    variables(({ folder }) => ({ DATABASE_URL_FILE: folder })),
  ],
  [
    'an encryption key that others can write',
    `ENCRYPTION_KEY_FILE: others than its owner may write to FOLDER/encryption-key: chmod go-w. ${readme}`,
    fileOf('encryption-key', () => encryptionKey, 0o666),
  ],
  [
    'a short encryption key',
    'encryptionKey (ENCRYPTION_KEY) must be 32 bytes in base64.',
    fileOf('encryption-key', () => Buffer.alloc(16).toString('base64')),
  ],
  [
    'another encryption key',
    'A secret in the database does not open with encryptionKey (ENCRYPTION_KEY): it was encrypted with another key, or was changed.',
    fileOf('encryption-key', () => Buffer.alloc(32, 9).toString('base64')),
  ],
  [
    'a user whom the database does not know',
    'DATABASE_URL: role "nobody" does not exist',
    databaseUrl((url) => (url.username = 'nobody')),
  ],
  [
    'a database that does not exist',
    'DATABASE_URL: database "nope" does not exist',
    databaseUrl((url) => (url.pathname = '/nope')),
  ],
  [
    'a database of another kind',
    `DATABASE_URL must be a postgres:// address. ${readme}`,
    fileOf('database-url', () => 'mysql://root@localhost/vestibule'),
  ],
  [
    'a password with a slash and a hash',
    `DATABASE_URL must be a postgres:// address, with %23 for # in the password, %2F for /, %3F for ? and %25 for %. ${readme}`,
    fileOf('database-url', () => 'postgres://vestibule:a/b#c@localhost/vestibule'),
  ],
];

const ofOtherUsers: readonly Mistake[] = [
  [
    'an encryption key of another user',
    `ENCRYPTION_KEY_FILE: the owner of FOLDER/encryption-key is neither root nor the user of the service: chown root. ${readme}`,
    foreignFileOf('encryption-key', () => encryptionKey),
  ],
];

const refusalsOf = refusals();
/** Only root can change the owner of a file. */
const isRoot = process.getuid?.() === 0;

test.each([...ofThePage, ...ofTheFile, ...ofVariables, ...ofTheMachine, ...(isRoot ? ofOtherUsers : [])])(
  '%s is refused by check and by serve',
  async (_mistake, sentence, change) => {
    expect(await refusalsOf(change)).toEqual(refusedWith(sentence));
  },
);
