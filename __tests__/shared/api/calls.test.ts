/** @jest-environment node */
import type { LiveApi } from '@shared/api/liveApi';
import { createLiveApi } from '@shared/api/liveApi';
import { ApiError } from '@shared/api/apiError';
import * as fc from 'fast-check';
import { anyLinkId } from '../../support/anyLinkId';
import { answering, startScriptedService, type ScriptedService } from '../../support/scriptedService';

let service: ScriptedService;
let api: LiveApi;

beforeAll(async () => {
  service = await startScriptedService();
  api = createLiveApi({
    serviceUrl: service.url,
    clock: { now: () => Date.now(), monotonic: () => 0, pause: () => new Promise<void>(() => undefined) },
  });
});

afterAll(async () => {
  await service.stop();
});

beforeEach(() => {
  service.forget();
});

/** Makes the call and tells what arrived: method, path, body, and what the application got. */
async function exchange<T>(call: (api: LiveApi) => Promise<T>, answer: unknown) {
  service.behave(answering(answer));
  const decoded = await call(api);
  const [request, ...others] = service.received;
  expect(others).toEqual([]);
  const body: unknown = request?.body === '' ? undefined : JSON.parse(request?.body ?? '');
  return {
    sent: [`${request?.method ?? ''} ${request?.url ?? ''}`, body, request?.headers.authorization],
    decoded,
  };
}

const bearer = 'Bearer b';
const tokens = { token: 't', refresh: 'r' };

describe('every call sends what the contract says and takes what it answers', () => {
  const cases: [string, (api: LiveApi) => Promise<unknown>, unknown, unknown, unknown][] = [
    [
      'methods',
      ({ auth }) => auth.methods('ada@example.com'),
      [{ method: 'basic' }],
      ['GET /auth/v1/method/ada%40example.com', undefined, undefined],
      [{ method: 'basic' }],
    ],
    [
      'token, password',
      ({ auth }) => auth.token({ username: 'a', method: 'basic', password: 'p', trustedJWT: 'j' }),
      tokens,
      ['POST /auth/v1/token', { username: 'a', method: 'basic', password: 'p', trustedJWT: 'j' }, undefined],
      tokens,
    ],
    [
      'token, google',
      ({ auth }) => auth.token({ username: 'a', method: 'google', code: 'c' }),
      tokens,
      ['POST /auth/v1/token', { username: 'a', method: 'google', code: 'c' }, undefined],
      tokens,
    ],
    [
      'token, microsoft',
      ({ auth }) => auth.token({ username: 'a', method: 'microsoft', code: 'c', codeVerifier: 'v' }),
      tokens,
      [
        'POST /auth/v1/token',
        { username: 'a', method: 'microsoft', code: 'c', codeVerifier: 'v' },
        undefined,
      ],
      tokens,
    ],
    [
      'token, MFA code',
      ({ auth }) =>
        auth.token({
          username: 'a',
          method: 'basic',
          authVerificationToken: 'vt',
          mfaCode: '123456',
          trust: true,
        }),
      { ...tokens, trustedToken: 'tt' },
      [
        'POST /auth/v1/token',
        { username: 'a', method: 'basic', authVerificationToken: 'vt', mfaCode: '123456', trust: true },
        undefined,
      ],
      { ...tokens, trustedToken: 'tt' },
    ],
    [
      'token, resend, without the marker',
      ({ auth }) => auth.token({ username: 'a', method: 'basic', authVerificationToken: 'vt', resend: true }),
      { mfaRequired: true, mfaType: 'authy', authVerificationToken: 'vt2', authyId: 52001, uid: 'u' },
      ['POST /auth/v1/token', { username: 'a', method: 'basic', authVerificationToken: 'vt' }, undefined],
      { mfaRequired: true, mfaType: 'authy', authVerificationToken: 'vt2', authyId: '52001', uid: 'u' },
    ],
    [
      'magic link',
      ({ auth }) => auth.exchangeMagicLink('id/1'),
      {
        data: [{ application: 'a', applicationUrl: 'u', metaData: { type: 'activate' }, redirectUrl: 'r' }],
        token: 't',
        refreshToken: 'rt',
      },
      ['POST /auth/v1/token', { magiclinkId: 'id/1', method: 'magiclink' }, undefined],
      {
        application: 'a',
        applicationUrl: 'u',
        type: 'activate',
        redirectUrl: 'r',
        token: 't',
        refreshToken: 'rt',
      },
    ],
    [
      'refresh',
      ({ auth }) => auth.refresh('old'),
      tokens,
      ['POST /auth/v1/refresh', { refresh: 'old' }, undefined],
      tokens,
    ],
    [
      'validate-password',
      ({ auth }) => auth.validatePassword('b', { password: 'p' }),
      { authVerificationToken: 'vt' },
      ['POST /auth/v1/validate-password', { password: 'p' }, bearer],
      { authVerificationToken: 'vt' },
    ],
    [
      'validate-setup',
      ({ mfa }) => mfa.validateSetup('b', { mfaCode: '123456', mfaRegistering: 'authy' }),
      {},
      ['POST /mfa/v1/validate-setup', { mfaCode: '123456', mfaRegistering: 'authy' }, bearer],
      undefined,
    ],
    [
      'sms-authy-add',
      ({ mfa }) =>
        mfa.addPhone('b', { phone: '+12025550143', countryCode: 'US', authVerificationToken: 'vt' }),
      { lastFourPhone: '0143' },
      [
        'POST /mfa/v1/sms-authy-add',
        { phone: '+12025550143', countryCode: 'US', authVerificationToken: 'vt', register: true },
        bearer,
      ],
      { lastFourPhone: '0143' },
    ],
    [
      'twofactor-add',
      ({ mfa }) => mfa.addAuthenticator('b', {}),
      { code: 'JBSW', url: 'otpauth://totp/x' },
      ['POST /mfa/v1/twofactor-add', {}, bearer],
      { code: 'JBSW', url: 'otpauth://totp/x' },
    ],
    [
      'disable',
      ({ mfa }) => mfa.disable('b', { password: 'p', authVerificationToken: 'vt' }),
      {},
      ['POST /mfa/v1/disable', { password: 'p', authVerificationToken: 'vt' }, bearer],
      undefined,
    ],
    [
      'authy-info',
      ({ mfa }) => mfa.authyInfo('b'),
      { status: { phone_number: 'XXX-0143' } },
      ['GET /mfa/v1/authy-info', undefined, bearer],
      { phoneNumber: 'XXX-0143' },
    ],
    [
      'users',
      ({ users }) => users.attributes('b', 'u 1'),
      {
        data: {
          attributes: { email: 'e', authyActive: true, twoFactorActive: false, lastReset: null, more: 1 },
        },
      },
      ['GET /user-management/v1/users/u%201', undefined, bearer],
      { email: 'e', authyActive: true, twoFactorActive: false, lastReset: null },
    ],
    [
      'api invite',
      ({ users }) => users.apiInvite('h'),
      { apiKey: 'k', apiSecret: 's' },
      ['GET /user-management/v1/api-users/invite/link/h', undefined, undefined],
      { apiKey: 'k', apiSecret: 's' },
    ],
    [
      'forgot-password',
      ({ password }) => password.forgot('e@x'),
      {},
      ['POST /password-reset/v1/forgot-password', { email: 'e@x' }, undefined],
      undefined,
    ],
    [
      'password-reset',
      ({ password }) => password.reset({ password: 'p', confirm: 'p', hash: 'h' }),
      {},
      [
        'POST /password-reset/v1/password-reset',
        { password: 'p', confirm: 'p', hash: 'h', method: 'basic' },
        undefined,
      ],
      undefined,
    ],
    [
      'password-reset-manual',
      ({ password }) =>
        password.change('b', { newPassword: 'n', confirmPassword: 'n', oldPassword: 'o', username: 'u' }),
      {},
      [
        'POST /password-reset/v1/password-reset-manual',
        { newPassword: 'n', confirmPassword: 'n', oldPassword: 'o', username: 'u' },
        bearer,
      ],
      undefined,
    ],
    [
      'activate',
      ({ password }) =>
        password.activate({ firstName: 'A', lastName: 'L', password: 'p', confirm: 'p', hash: 'h' }),
      {},
      [
        'POST /password-reset/v1/activate',
        { firstName: 'A', lastName: 'L', password: 'p', confirm: 'p', hash: 'h', method: 'basic' },
        undefined,
      ],
      undefined,
    ],
  ];

  it.each(cases)('%s', async (_name, call, answer, sent, decoded) => {
    await expect(exchange(call, answer)).resolves.toEqual({ sent, decoded });
  });
});

describe('the extension revoke', () => {
  it.each([{ refresh: 'r' }, { mfaToken: 'm' }])('sends %j, without a bearer', async (token) => {
    await expect(exchange(({ auth }) => auth.revoke(token), {})).resolves.toEqual({
      sent: ['POST /auth/v1/revoke', token, undefined],
      decoded: undefined,
    });
  });
});

describe('text in a path', () => {
  const prefix = '/auth/v1/method/';

  it.each([
    ['a username', '/auth/v1/method/', (text: string) => api.auth.methods(text), []],
    [
      'the id of an API invitation',
      '/user-management/v1/api-users/invite/link/',
      (text: string) => api.users.apiInvite(text),
      { apiKey: 'k', apiSecret: 's' },
    ],
  ] as const)(
    'travels as exactly one segment under the path of its call: %s',
    async (_name, path, call, answer) => {
      const fetch = jest
        .spyOn(globalThis, 'fetch')
        .mockImplementation(() => Promise.resolve(new Response(JSON.stringify(answer))));
      await fc.assert(
        fc.asyncProperty(anyLinkId, async (text) => {
          await call(text);
          const request = fetch.mock.lastCall?.[0];
          const sent = request instanceof Request ? request.url.slice(service.url.length) : '';
          expect(sent.startsWith(path)).toBe(true);
          expect(sent.slice(path.length)).not.toMatch(/[/?#\\]/);
          expect(decodeURIComponent(sent.slice(path.length))).toBe(text);
        }),
        { numRuns: 100 },
      );
      fetch.mockRestore();
    },
    30_000,
  );

  it.each(['%2e%2e', '..%2f', 'a/b', '../..', '?x=1', '#x', '...', ' ..', 'a\\..\\b', '__proto__', '$&'])(
    '%j is not an address',
    async (username) => {
      service.behave(answering([]));
      await api.auth.methods(username);
      expect(service.received.map(({ url }) => url)).toEqual([prefix + encodeURIComponent(username)]);
    },
  );

  it.each([
    ['an empty one', ''],
    ['a dot', '.'],
    ['two dots', '..'],
    ['an unpaired surrogate', 'ada\ud800'],
    ['more than 512 characters', 'a'.repeat(513)],
  ])('is refused before any request: %s', async (_case, text) => {
    for (const call of [api.auth.methods(text), api.users.attributes('b', text), api.users.apiInvite(text)]) {
      await expect(call).rejects.toBeInstanceOf(ApiError);
      await expect(call).rejects.toMatchObject({ kind: 'unexpected' });
    }
    expect(service.received).toEqual([]);
  });
});

it('sends the id of a link as exactly one string of the body, whatever characters it has', async () => {
  const calls: readonly [(id: string) => Promise<unknown>, string][] = [
    [(magiclinkId) => api.auth.exchangeMagicLink(magiclinkId), 'magiclinkId'],
    [(hash) => api.password.reset({ password: 'p', confirm: 'p', hash }), 'hash'],
    [
      (hash) => api.password.activate({ firstName: 'A', lastName: 'L', password: 'p', confirm: 'p', hash }),
      'hash',
    ],
  ];
  const answer = { data: [{}], token: 't', refreshToken: 'r' };
  const fetch = jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation(() => Promise.resolve(new Response(JSON.stringify(answer))));
  await fc.assert(
    fc.asyncProperty(anyLinkId, fc.constantFrom(...calls), async (id, [call, key]) => {
      await call(id);
      const request = fetch.mock.lastCall?.[0];
      if (!(request instanceof Request)) throw new Error('Nothing was sent');
      const body = (await request.clone().json()) as Readonly<Record<string, unknown>>;
      expect(body[key]).toBe(id);
      expect(request.url).toMatch(/\/(token|password-reset|activate)$/);
    }),
    { numRuns: 300 },
  );
  fetch.mockRestore();
}, 30_000);

it('sends a password with an unpaired surrogate as JSON can, without an exception', async () => {
  const { sent } = await exchange(
    ({ auth }) => auth.token({ username: 'a', method: 'basic', password: 'p\ud800' }),
    tokens,
  );
  expect(sent[1]).toMatchObject({ password: 'p\ud800' });
});
