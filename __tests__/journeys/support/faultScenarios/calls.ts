import { unsignedToken } from '../unsignedToken';

/** A call of the contract (docs/behaviour.md#service-contract). */
export interface ServiceCall {
  readonly method: 'GET' | 'POST';
  /** Matches the whole path. */
  readonly path: RegExp;
  /** A valid answer. */
  readonly right: unknown;
  /** The same with wrong types. */
  readonly wrong: unknown;
}

const get = (path: RegExp, right: unknown, wrong: unknown): ServiceCall => ({
  method: 'GET',
  path,
  right,
  wrong,
});
const post = (path: RegExp, right: unknown, wrong: unknown): ServiceCall => ({
  method: 'POST',
  path,
  right,
  wrong,
});

/** A user with several applications, who therefore stays on the login host. */
export const owner = {
  uid: '00000000-0000-4000-8000-000000000017',
  username: 'hana@payments.example',
  email: 'hana@payments.example',
  firstName: 'Hana',
  personas: { ledger: [{ applicationUrl: '/' }], hub: [{ applicationUrl: '/' }] },
};

/** Tokens of this user, as a service issues them. */
export const tokensOf = (claims: Readonly<Record<string, unknown>> = {}) => ({
  token: unsignedToken({ ...owner, ...claims }),
  refresh: 'a-refresh-token',
});

const attributes = { email: owner.email, authyActive: true, twoFactorActive: false, lastReset: null };
const wrongAttributes = { email: 1, authyActive: 'no', twoFactorActive: 0, lastReset: 'yesterday' };
const link = { application: 'ledger', applicationUrl: '/', metaData: { type: 'none' } };
const uri = 'otpauth://totp/Payments:hana?secret=JBSWY3DPEHPK3PXP';

/** The extension that ends a session; nothing waits for its answer. */
export const revoke = post(/^\/auth\/v1\/revoke$/, {}, []);

const where = { browser: 'Firefox 153', system: 'Windows', network: '203.0.113.0/24' };
const time = '2026-11-02T09:30:00Z';

/** The other calls of extensions. */
export const extensionCalls = {
  events: get(/^\/auth\/v1\/events$/, ':\n\n', { event: 1 }),
  sessions: get(
    /^\/auth\/v1\/sessions$/,
    {
      sessions: [
        { id: 's_1', current: true, startedAt: time, lastSeenAt: time, method: 'basic', ...where },
        { id: 's_2', current: false, startedAt: time, lastSeenAt: time, method: 'google', ...where },
      ],
    },
    { sessions: [{ id: 1, current: 'yes', startedAt: 'yesterday' }] },
  ),
  endSessions: post(/^\/auth\/v1\/sessions\/end$/, {}, 'done'),
  trustedDevices: get(
    /^\/auth\/v1\/trusted-devices$/,
    { devices: [{ id: 'd_1', browser: null, system: null, trustedAt: time, expiresAt: time }] },
    { devices: { id: 'd_1' } },
  ),
  forgetDevices: post(/^\/auth\/v1\/trusted-devices\/forget$/, {}, 'done'),
  activity: get(
    /^\/auth\/v1\/activity$/,
    { events: [{ id: '1', at: time, kind: 'signed-in', method: 'basic', ...where }], more: false },
    { events: 'none', more: 0 },
  ),
  knowDevice: post(/^\/auth\/v1\/devices\/known$/, { deviceToken: 'a-device-token' }, { deviceToken: 7 }),
  notice: get(
    /^\/auth\/v1\/notices\/[^/]+$/,
    { kind: 'new-device', at: time, state: 'open', ...where },
    { kind: 1, at: 0, state: 'maybe' },
  ),
  answerNotice: post(/^\/auth\/v1\/notices\/[^/]+$/, { resetHash: 'a-reset-hash' }, { resetHash: 5 }),
} satisfies Readonly<Record<string, ServiceCall>>;

/** The sixteen calls. */
export const calls = {
  methods: get(/^\/auth\/v1\/method\/[^/]+$/, [{ method: 'basic' }], { methods: [{ method: 'basic' }] }),
  token: post(/^\/auth\/v1\/token$/, tokensOf(), { token: 7, refresh: ['r'], mfaRequired: 'yes' }),
  magicLink: post(
    /^\/auth\/v1\/token$/,
    { data: [link], token: tokensOf().token, refreshToken: 'r' },
    { data: { ...link }, token: true, refreshToken: null },
  ),
  refresh: post(/^\/auth\/v1\/refresh$/, tokensOf(), { token: {}, refresh: 5 }),
  validatePassword: post(
    /^\/auth\/v1\/validate-password$/,
    { authVerificationToken: 'proved' },
    { authVerificationToken: 12_345 },
  ),
  validateSetup: post(/^\/mfa\/v1\/validate-setup$/, {}, 'done'),
  addPhone: post(/^\/mfa\/v1\/sms-authy-add$/, { lastFourPhone: '0147' }, { lastFourPhone: [147] }),
  addAuthenticator: post(
    /^\/mfa\/v1\/twofactor-add$/,
    { code: 'JBSWY3DPEHPK3PXP', url: uri },
    { code: 'JBSWY3DPEHPK3PXP', url: 'javascript:window.__ran=1' },
  ),
  disable: post(/^\/mfa\/v1\/disable$/, {}, [true]),
  authyInfo: get(
    /^\/mfa\/v1\/authy-info$/,
    { status: { phone_number: '+12025550147' } },
    { status: [{ phone_number: 147 }] },
  ),
  attributes: get(
    /^\/user-management\/v1\/users\/[^/]+$/,
    { data: { attributes } },
    { data: { attributes: wrongAttributes } },
  ),
  forgot: post(/^\/password-reset\/v1\/forgot-password$/, {}, 42),
  reset: post(/^\/password-reset\/v1\/password-reset$/, {}, 'done'),
  change: post(/^\/password-reset\/v1\/password-reset-manual$/, {}, 'done'),
  activate: post(/^\/password-reset\/v1\/activate$/, {}, 'done'),
  apiInvite: get(
    /^\/user-management\/v1\/api-users\/invite\/link\/[^/]+$/,
    { apiKey: 'ak_one', apiSecret: 'as_one' },
    { apiKey: ['ak_one'], apiSecret: {} },
  ),
} satisfies Readonly<Record<string, ServiceCall>>;
