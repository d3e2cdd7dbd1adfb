import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bearer, get, post, tokens, type Calls, type Row } from './callRow';

const tokenPath = '/auth/v1/token';

/** Arguments of each call that are sent unchanged. */
const bodies = {
  password: { username: 'a', method: 'basic', password: 'p', trustedJWT: 'j' },
  google: { username: 'a', method: 'google', code: 'c' },
  microsoft: { username: 'a', method: 'microsoft', code: 'c', codeVerifier: 'v' },
  code: { username: 'a', method: 'basic', authVerificationToken: 'vt', mfaCode: '123456', trust: true },
  resend: { username: 'a', method: 'basic', authVerificationToken: 'vt' },
  phone: { phone: '+12025550143', countryCode: 'US', authVerificationToken: 'vt' },
  proof: { password: 'p', authVerificationToken: 'vt' },
  reset: { password: 'p', confirm: 'p', hash: 'h' },
  change: { newPassword: 'n', confirmPassword: 'n', oldPassword: 'o', username: 'u' },
  activate: { firstName: 'A', lastName: 'L', password: 'p', confirm: 'p', hash: 'h' },
} as const;
const { proof } = bodies;

const challenge = { mfaRequired: true, authVerificationToken: 'vt2', uid: 'u' };
const link = { application: 'a', applicationUrl: 'u', redirectUrl: 'r' };
const attributes = { email: 'e', lastReset: null };
const invite = { apiKey: 'k', apiSecret: 's' };
const enrolment = { code: 'JBSW', url: 'otpauth://totp/x' };

type Rows = Readonly<Record<string, Row>>;

/** Those of the features: `calls.ts` in the folder of each. */
function rowsOfFeatures(): Rows {
  const folder = join(__dirname, '../features');
  const files = readdirSync(folder).map((name) => join(folder, name, 'calls.ts'));
  const modules = files.filter(existsSync).map((file) => jest.requireActual<{ readonly rows: Rows }>(file));
  return Object.assign({}, ...modules.map(({ rows }) => rows)) as Rows;
}

/** Every call of the application. */
export const callRows: Rows = {
  ...rowsOfFeatures(),
  methods: [
    ({ auth }) => auth.methods('ada@example.com'),
    [{ method: 'basic' }],
    get('/auth/v1/method/ada%40example.com'),
  ],
  'token, password': [({ auth }) => auth.token(bodies.password), tokens, post(tokenPath, bodies.password)],
  'token, google': [({ auth }) => auth.token(bodies.google), tokens, post(tokenPath, bodies.google)],
  'token, microsoft': [({ auth }) => auth.token(bodies.microsoft), tokens, post(tokenPath, bodies.microsoft)],
  'token, MFA code': [
    ({ auth }) => auth.token(bodies.code),
    { ...tokens, trustedToken: 'tt' },
    post(tokenPath, bodies.code),
  ],
  'token, resend, without the marker': [
    ({ auth }) => auth.token({ ...bodies.resend, resend: true }),
    { ...challenge, mfaType: 'authy', authyId: 52001 },
    post(tokenPath, bodies.resend),
    { ...challenge, secondStep: 'text', authyId: '52001' },
  ],
  'magic link': [
    ({ auth }) => auth.exchangeMagicLink('id/1'),
    { data: [{ ...link, metaData: { type: 'activate' } }], token: 't', refreshToken: 'rt' },
    post(tokenPath, { magiclinkId: 'id/1', method: 'magiclink' }),
    { ...link, type: 'activate', token: 't', refreshToken: 'rt' },
  ],
  refresh: [({ auth }) => auth.refresh('old'), tokens, post('/auth/v1/refresh', { refresh: 'old' })],
  'validate-password': [
    ({ auth }) => auth.validatePassword('b', { password: 'p' }),
    { authVerificationToken: 'vt' },
    post('/auth/v1/validate-password', { password: 'p' }, bearer),
  ],
  'validate-setup, text message': [
    ({ mfa }) => mfa.validateSetup('b', { mfaCode: '123456', method: 'text' }),
    {},
    post('/mfa/v1/validate-setup', { mfaCode: '123456', mfaRegistering: 'authy' }, bearer),
    undefined,
  ],
  'validate-setup, authenticator app': [
    ({ mfa }) => mfa.validateSetup('b', { mfaCode: '123456', method: 'app' }),
    {},
    post('/mfa/v1/validate-setup', { mfaCode: '123456', mfaRegistering: 'mfa' }, bearer),
    undefined,
  ],
  'sms-authy-add': [
    ({ mfa }) => mfa.addPhone('b', bodies.phone),
    { lastFourPhone: '0143' },
    post('/mfa/v1/sms-authy-add', { ...bodies.phone, register: true }, bearer),
  ],
  'twofactor-add': [
    ({ mfa }) => mfa.addAuthenticator('b', {}),
    enrolment,
    post('/mfa/v1/twofactor-add', {}, bearer),
  ],
  disable: [({ mfa }) => mfa.disable('b', proof), {}, post('/mfa/v1/disable', proof, bearer), undefined],
  'authy-info': [
    ({ mfa }) => mfa.activePhone('b'),
    { status: { phone_number: 'XXX-0143' } },
    get('/mfa/v1/authy-info', bearer),
    { lastFourPhone: '0143' },
  ],
  users: [
    ({ users }) => users.attributes('b', 'u 1'),
    {
      data: { attributes: { ...attributes, authyActive: true, twoFactorActive: false, more: 1 } },
      accountVersion: 'v',
    },
    get('/user-management/v1/users/u%201', bearer),
    { ...attributes, isTextActive: true, isAppActive: false, accountVersion: 'v' },
  ],
  'api invite': [
    ({ users }) => users.apiInvite('h'),
    invite,
    get('/user-management/v1/api-users/invite/link/h'),
  ],
  'forgot-password': [
    ({ password }) => password.forgot('e@x'),
    {},
    post('/password-reset/v1/forgot-password', { email: 'e@x' }),
    undefined,
  ],
  'password-reset': [
    ({ password }) => password.reset(bodies.reset),
    {},
    post('/password-reset/v1/password-reset', { ...bodies.reset, method: 'basic' }),
    undefined,
  ],
  'password-reset-manual': [
    ({ password }) => password.change('b', bodies.change),
    {},
    post('/password-reset/v1/password-reset-manual', bodies.change, bearer),
    undefined,
  ],
  activate: [
    ({ password }) => password.activate(bodies.activate),
    {},
    post('/password-reset/v1/activate', { ...bodies.activate, method: 'basic' }),
    undefined,
  ],
};

/** The call of a row: its group and its name. */
export function nameOf([call]: Row): readonly [group: string, name: string] {
  let called: readonly [string, string] = ['', ''];
  const noting = (group: string) =>
    new Proxy({}, { get: (_calls, name) => () => Promise.resolve((called = [group, String(name)])) });
  void call(new Proxy({}, { get: (_api, group) => noting(String(group)) }) as Calls);
  return called;
}

/** What the application gets of the answer. */
export const responseOf = (row: Row): unknown => (row.length > 3 ? row[3] : row[1]);
