import type { LiveApi } from '@shared/api/liveApi';
import { passkeys } from './builders';

const bearer = 'Bearer b';
const where = { browser: 'Firefox 153', system: null };
const at = '2026-11-02T09:30:00Z';
const network = '203.0.113.0/24';
const session = { id: 's', current: true, startedAt: at, lastSeenAt: at, method: 'basic', network, ...where };
const device = { id: 'd', trustedAt: at, expiresAt: at, ...where };
const event = { id: '7', at, kind: 'signed-in', method: 'basic', network, ...where };
const assertion = { challengeToken: 'c', credential: passkeys.assertion };
const newPasskey = { challengeToken: 'c', credential: passkeys.made };
const tokenPath = '/auth/v1/token';
const tokens = { token: 't', refresh: 'r' };

const get = (path: string, authorization?: string) => [`GET ${path}`, undefined, authorization];
const post = (path: string, body: object, authorization?: string) => [`POST ${path}`, body, authorization];

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

/** A call, the service's answer, what was sent, and what the application gets of the answer (by default: all). */
export type Row = readonly [
  call: (api: LiveApi) => Promise<unknown>,
  answer: unknown,
  sent: unknown,
  got?: unknown,
];

/** Every call of the application. */
export const callRows: Readonly<Record<string, Row>> = {
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
  'recovery codes, left': [
    ({ recovery }) => recovery.count('b'),
    { remaining: 7, createdAt: at },
    get('/auth/v1/recovery-codes', bearer),
    7,
  ],
  'recovery codes, new': [
    ({ recovery }) => recovery.make('b', { authVerificationToken: 'vt' }),
    { codes: ['7F3K-9QXA-2MVD-H4TE'] },
    post('/auth/v1/recovery-codes', { authVerificationToken: 'vt' }, bearer),
    ['7F3K-9QXA-2MVD-H4TE'],
  ],
  'recovery codes, used': [
    ({ recovery }) => recovery.use({ ...bodies.resend, recoveryCode: '7f3k', trust: true }),
    { ...tokens, trustedToken: 'tt' },
    post('/auth/v1/recovery-codes/use', { ...bodies.resend, code: '7f3k', trust: true }),
  ],
  'revoke, a session': [
    ({ auth }) => auth.revoke({ refresh: 'r' }),
    {},
    post('/auth/v1/revoke', { refresh: 'r' }),
    undefined,
  ],
  'revoke, setup mode': [
    ({ auth }) => auth.revoke({ mfaToken: 'm' }),
    {},
    post('/auth/v1/revoke', { mfaToken: 'm' }),
    undefined,
  ],
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
  sessions: [
    ({ devices }) => devices.sessions('b'),
    { sessions: [session] },
    get('/auth/v1/sessions', bearer),
    [session],
  ],
  'end sessions': [
    ({ devices }) => devices.endSessions('b', { ids: ['s'] }),
    {},
    post('/auth/v1/sessions/end', { ids: ['s'] }, bearer),
    undefined,
  ],
  'trusted devices': [
    ({ devices }) => devices.trustedDevices('b'),
    { devices: [device] },
    get('/auth/v1/trusted-devices', bearer),
    [device],
  ],
  'forget devices': [
    ({ devices }) => devices.forgetDevices('b', { ids: ['d'] }),
    {},
    post('/auth/v1/trusted-devices/forget', { ids: ['d'] }, bearer),
    undefined,
  ],
  'activity, first page': [
    ({ devices }) => devices.activity('b'),
    { events: [event, { ...event, id: '6', kind: 'of-a-later-version' }], more: true },
    get('/auth/v1/activity', bearer),
    { entries: [event], next: '6' },
  ],
  'activity, next page': [
    ({ devices }) => devices.activity('b', '6'),
    { events: [], more: false },
    get('/auth/v1/activity?before=6', bearer),
    { entries: [], next: null },
  ],
  'known device': [
    ({ devices }) => devices.know('b', { deviceToken: 'd' }),
    { deviceToken: 'd' },
    post('/auth/v1/devices/known', { deviceToken: 'd' }, bearer),
  ],
  notice: [
    ({ devices }) => devices.notice('h/1'),
    { kind: 'new-device', at, state: 'open', network, ...where },
    get('/auth/v1/notices/h%2F1'),
  ],
  'notice of an unknown kind': [
    ({ devices }) => devices.notice('h'),
    { kind: 'of-a-later-version', at, state: 'denied', network, ...where },
    get('/auth/v1/notices/h'),
    { kind: 'other', at, state: 'denied', network, ...where },
  ],
  'answer to a notice': [
    ({ devices }) => devices.answerNotice('h/1', false),
    { resetHash: 'r' },
    post('/auth/v1/notices/h%2F1', { mine: false }),
    'r',
  ],
  'passkey sign-in options': [
    (api) => api.passkeys.signInOptions({ username: 'a' }),
    passkeys.options,
    post('/auth/v1/passkeys/sign-in/options', { username: 'a' }),
  ],
  'passkey sign-in': [
    (api) => api.passkeys.signIn(assertion),
    { token: 't', refresh: 'r' },
    post('/auth/v1/passkeys/sign-in', assertion),
  ],
  'passkey verification options': [
    (api) => api.passkeys.verifyOptions('b'),
    passkeys.options,
    post('/auth/v1/passkeys/verify/options', {}, bearer),
  ],
  'passkey verification': [
    (api) => api.passkeys.verify('b', assertion),
    { authVerificationToken: 'v' },
    post('/auth/v1/passkeys/verify', assertion, bearer),
  ],
  passkeys: [
    (api) => api.passkeys.list('b'),
    { userId: 'u', passkeys: [passkeys.entry] },
    get('/auth/v1/passkeys', bearer),
  ],
  'passkey addition options': [
    (api) => api.passkeys.addOptions('b', { automatic: true }),
    passkeys.creationOptions,
    post('/auth/v1/passkeys/add/options', { automatic: true }, bearer),
  ],
  'passkey addition': [
    (api) => api.passkeys.add('b', newPasskey),
    passkeys.entry,
    post('/auth/v1/passkeys/add', newPasskey, bearer),
  ],
  'passkey name': [
    (api) => api.passkeys.rename('b', { id: 'k', name: 'n' }),
    {},
    post('/auth/v1/passkeys/rename', { id: 'k', name: 'n' }, bearer),
    undefined,
  ],
  'passkey removal': [
    (api) => api.passkeys.remove('b', { id: 'k', authVerificationToken: 'v' }),
    {},
    post('/auth/v1/passkeys/remove', { id: 'k', authVerificationToken: 'v' }, bearer),
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
  void call(new Proxy({}, { get: (_api, group) => noting(String(group)) }) as LiveApi);
  return called;
}

/** What the application gets of the answer. */
export const responseOf = (row: Row): unknown => (row.length > 3 ? row[3] : row[1]);
