/** @jest-environment node */
import { ApiError } from '@shared/api/apiError';
import * as fc from 'fast-check';
import type * as contract from '@vestibule/contract/schema';
import { decoderOf } from '@shared/api/decoder';
import type { Http } from '@shared/api/http';
import { lastResetOf, refreshResponse, userResponse } from '@shared/api/decoders';
import * as v from 'valibot';
import { createAllCalls } from '../../support/allCalls';
import type { Calls } from '../../support/callRow';
import { callRows } from '../../support/callRows';

let api: Calls;
beforeAll(async () => {
  api = await createAllCalls({
    serviceUrl: 'http://api.example',
    clock: { now: () => 0, monotonic: () => 0, pause: () => Promise.resolve() },
  });
});

/** The decoders with the real transport. `fetch` responds at once, so that ten thousand responses need no sockets. */
function answeredWith(text: string): Calls {
  jest.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(new Response(text)));
  return api;
}

const answered = (answer: unknown) => answeredWith(JSON.stringify(answer));
const unexpected = { kind: 'unexpected', details: { status: 200 } };

afterEach(() => {
  jest.restoreAllMocks();
});

describe('arbitrary JSON', () => {
  // Names that the decoders look for, so that generated answers are nearly valid.
  const names = [
    'token refresh mfaJWT mfaRequired mfaType authyId data attributes metaData type',
    'remaining codes challengeToken publicKey userId passkeys createdAt isSynced sessions devices events more kind startedAt at method configuration tenantId status phone_number apiKey __proto__ constructor toString',
  ];
  const key = fc.constantFrom(...names.join(' ').split(' '));
  const leaf = fc.oneof(
    fc.string(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom('basic', 'microsoft', 'authy'),
  );
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('json'), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie('json')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));

  it.each(Object.entries(callRows))(
    '%s yields an answer or an ApiError, nothing else',
    async (_name, [call]) => {
      await fc.assert(
        fc.asyncProperty(json, async (answer) => {
          const outcome = await call(answered(answer)).then(
            () => 'an answer',
            (error: unknown) => error,
          );
          const asPromised =
            outcome instanceof ApiError ? outcome.kind === 'unexpected' : outcome === 'an answer';
          expect(asPromised).toBe(true);
        }),
        { numRuns: 150 },
      );
    },
    30_000,
  );

  it('does not modify a prototype', async () => {
    await answeredWith('{"__proto__":{"token":"t"},"refresh":"r","constructor":{"prototype":{"x":1}}}')
      .auth.token({ username: 'a', method: 'basic', password: 'p' })
      .then((answer) => {
        expect(answer).toEqual({ refresh: 'r' });
      });
    expect({}).not.toHaveProperty('x');
  });

  it('may be nested as deeply as its size allows', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    await expect(answeredWith(deep).auth.refresh('r')).rejects.toBeInstanceOf(ApiError);
  });
});

describe('the login methods', () => {
  const guid = { tenantId: 't', clientId: 'c' };
  const [basic, google] = [{ method: 'basic' }, { method: 'google' }];

  it.each<[string, unknown[], unknown[]]>([
    ['unknown ones are omitted', [{ method: 'saml' }, { method: 'basic' }], [{ method: 'basic' }]],
    ['unknown ones alone give an empty list', [{ method: 'saml' }], []],
    ['malformed entries are omitted', [null, 5, 'basic', [], {}, { method: 5 }, google], [google]],
    ['the order is the service’s', [google, basic], [google, basic]],
    ['each is listed once', [{ method: 'google' }, { method: 'google' }], [{ method: 'google' }]],
    [
      'Microsoft has its configuration',
      [{ method: 'microsoft', configuration: { ...guid, more: 1 } }],
      [{ method: 'microsoft', configuration: guid }],
    ],
    ['other properties are not copied', [{ ...basic, configuration: guid, hint: 'x' }], [basic]],
    ['inherited names are not methods', [{ method: 'constructor' }, { method: '__proto__' }], []],
  ])('%s', async (_rule, answer, decoded) => {
    await expect(answered(answer).auth.methods('a')).resolves.toEqual(decoded);
  });

  it.each([
    undefined,
    null,
    {},
    'x',
    { tenantId: 't' },
    { tenantId: '', clientId: 'c' },
    { tenantId: 5, clientId: 'c' },
  ])('Microsoft stays without the unusable configuration %j', async (configuration) => {
    await expect(answered([{ method: 'microsoft', configuration }]).auth.methods('a')).resolves.toEqual([
      { method: 'microsoft' },
    ]);
  });

  it.each([{}, { 0: { method: 'basic' }, length: 1 }, 'basic', null, 5])('are not %j', async (answer) => {
    await expect(answered(answer).auth.methods('a')).rejects.toMatchObject(unexpected);
  });
});

describe('the token answer', () => {
  const ask = (answer: unknown) =>
    answered(answer).auth.token({ username: 'a', method: 'basic', password: 'p' });
  const full = {
    token: 't',
    refresh: 'r',
    mfaJWT: 'm',
    mfaRequired: true,
    authVerificationToken: 'v',
    authyId: '5',
    uid: 'u',
    trustedToken: 'tt',
  };

  it('has every field, and those of extensions', async () => {
    const response = { ...full, mfaType: 'mfa', more: 1, secondStep: 'text', none: null };
    await expect(ask(response)).resolves.toStrictEqual({ ...full, more: 1, secondStep: 'app' });
    const { secondStep } = await ask({ ...full, secondStep: 'text' });
    expect(secondStep).toBeUndefined();
  });

  it.each(Object.keys(full))('omits %s when it is missing or null', async (field) => {
    const rest = Object.fromEntries(Object.entries(full).filter(([name]) => name !== field));
    await expect(ask(rest)).resolves.toStrictEqual(rest);
    await expect(ask({ ...rest, [field]: null })).resolves.toStrictEqual(rest);
  });

  it('treats empty text as absent', async () => {
    await expect(ask({ token: 't', refresh: 'r', mfaJWT: '', trustedToken: '' })).resolves.toStrictEqual({
      token: 't',
      refresh: 'r',
    });
  });

  it('keeps mfaRequired: false, which is an answer', async () => {
    await expect(ask({ token: 't', mfaRequired: false })).resolves.toStrictEqual({
      token: 't',
      mfaRequired: false,
    });
  });

  it.each([
    ['authyId', 52001],
    ['uid', 7],
  ])('accepts a numeric %s', async (field, value) => {
    await expect(ask({ ...full, [field]: value })).resolves.toMatchObject({ [field]: String(value) });
  });

  it.each([
    ['authy', 'text'],
    ['mfa', 'app'],
    ['totp', 'app'],
    ['AUTHY2', 'app'],
    ['', undefined],
    [null, undefined],
  ])('reads the mfaType %j as %j', async (mfaType, secondStep) => {
    expect((await ask({ ...full, mfaType })).secondStep).toBe(secondStep);
  });

  it.each<[string, unknown]>([
    ['token', 5],
    ['token', {}],
    ['refresh', ['r']],
    ['mfaJWT', true],
    ['mfaRequired', 'true'],
    ['mfaType', 5],
    ['authVerificationToken', 1],
    ['authyId', {}],
    ['uid', true],
    ['trustedToken', false],
  ])('fails the call when %s is %j', async (field, value) => {
    await expect(ask({ ...full, [field]: value })).rejects.toMatchObject(unexpected);
  });
});

it.each<[string, unknown]>([
  ['no refresh token', { token: 't' }],
  ['an empty token', { token: '', refresh: 'r' }],
  ['the magic link’s name for the token', { token: 't', refreshToken: 'r' }],
])('a refresh fails with %s', async (_case, answer) => {
  await expect(answered(answer).auth.refresh('r')).rejects.toMatchObject(unexpected);
});

describe('the magic link', () => {
  it('requires only the target', async () => {
    await expect(
      answered({ data: [{ applicationUrl: 'u', metaData: null }], token: null }).auth.exchangeMagicLink('a'),
    ).resolves.toStrictEqual({
      applicationUrl: 'u',
    });
  });

  it('uses the first target and ignores others', async () => {
    await expect(
      answered({ data: [{ applicationUrl: 'u' }, 5] }).auth.exchangeMagicLink('a'),
    ).resolves.toEqual({ applicationUrl: 'u' });
  });

  it.each([
    { token: 't' },
    { data: [] },
    { data: {} },
    { data: [null] },
    { data: [{ applicationUrl: 5 }] },
    { data: [{ metaData: { type: 5 } }] },
  ])('fails with %j', async (answer) => {
    await expect(answered(answer).auth.exchangeMagicLink('a')).rejects.toMatchObject(unexpected);
  });
});

describe('the user’s attributes', () => {
  const others = { email: 'e', lastReset: '2026-03-14T09:26:53.000Z' };
  const attributes = { ...others, authyActive: false, twoFactorActive: true };
  const all = { ...others, isTextActive: false, isAppActive: true };
  const ask = (given: unknown) => answered({ data: { attributes: given } }).users.attributes('b', 'u');

  it('are taken with every field', async () => {
    await expect(ask(attributes)).resolves.toEqual(all);
  });

  const switches = { authyActive: 'isTextActive', twoFactorActive: 'isAppActive' };
  it.each<[string, unknown, unknown, field?: string]>([
    ['email', null, ''],
    ['email', undefined, ''],
    ['email', 1, ''],
    ...Object.entries(switches).flatMap(([name, field]): [string, unknown, unknown, string][] => [
      [name, true, true, field],
      [name, null, false, field],
      [name, undefined, false, field],
      [name, 1, undefined, field],
      [name, 'true', undefined, field],
    ]),
    ['lastReset', undefined, null],
    ['lastReset', 'yesterday', undefined],
  ])('read %s: %j as %j, and the others as they are', async (name, given, taken, field = name) => {
    await expect(ask({ ...attributes, [name]: given })).resolves.toEqual({ ...all, [field]: taken });
  });

  it.each([null, 'ada', undefined, [], {}, { mail: 'e' }])('are not those of %j', async (given) => {
    await expect(ask(given)).rejects.toMatchObject(unexpected);
  });
});

describe('the time of the last password change', () => {
  const at = '2026-03-14T09:26:53.000Z';
  it.each<[unknown, string | null | undefined]>([
    [at, at],
    ['2026-03-14T09:26:53Z', '2026-03-14T09:26:53Z'],
    ['2026-03-14T09:26:53+02:00', '2026-03-14T09:26:53+02:00'],
    [1_773_480_413_000, at],
    [1_773_480_413, at],
    [1_773_480_413.5, '2026-03-14T09:26:53.500Z'],
    [99_999_999_999, '5138-11-16T09:46:39.000Z'],
    [100_000_000_000, '1973-03-03T09:46:40.000Z'],
    ...[undefined, null, '', 0].map((never): [unknown, null] => [never, null]),
    ...[-1, 1e300, 253_402_300_800_000, Number.NaN, true, {}, 'yesterday', '14/03/2026', '<b>'].map(
      (odd): [unknown, undefined] => [odd, undefined],
    ),
    ['2026-13-01T00:00:00Z', undefined],
  ])('%j is %j', (given, taken) => {
    expect(lastResetOf(given)).toBe(taken);
  });
});

it.each(['https://evil.example/qr', 'javascript:alert(1)', ''])('no QR address is %j', async (url) => {
  await expect(answered({ code: 'JBSW', url }).mfa.addAuthenticator('b', {})).rejects.toMatchObject(
    unexpected,
  );
});

describe('the last four digits of a phone', () => {
  it.each<[unknown, string | null]>([
    ['0143', '0143'],
    ['XXX-XXX-0143', '0143'],
    ['***-***-0143', '0143'],
    ['+12025550143', '0143'],
    ['+44 7700 900 123', '0123'],
    ['(202) 555-01-43', '0143'],
    [1234, '1234'],
    [143, '0143'],
    [12_025_550_143, '0143'],
    ['143', null],
    ['XXX-XXX-XXXX', null],
    ['+1 202 555 0143 (mobile)', null],
    ['<b>', null],
    ['', null],
    [1e30, null],
  ])('of %j are %j; a set-up fails without them', async (phone, lastFourPhone) => {
    await expect(answered({ status: { phone_number: phone } }).mfa.activePhone('b')).resolves.toEqual({
      lastFourPhone,
    });
    const added = answered({ lastFourPhone: phone }).mfa.addPhone('b', { phone: '+1', countryCode: 'US' });
    const outcome = await added.catch((error: unknown) => error);
    expect(outcome).toMatchObject(lastFourPhone === null ? unexpected : { lastFourPhone });
  });

  it.each([null, true, [1234], {}])('are not in %j', async (phone) => {
    await expect(answered({ status: { phone_number: phone } }).mfa.activePhone('b')).rejects.toMatchObject(
      unexpected,
    );
  });
});

describe('contract and decoders', () => {
  /*
   * These lines must fail to compile if contract and application differ. Each `@ts-expect-error` is itself an error
   * for `tsc` as soon as the line below it would compile.
   */

  it('a decoder that matches the contract compiles, and decodes', () => {
    const follows = decoderOf<contract.RefreshResponse>()(v.object({ token: v.string() }));
    expect(v.parse(follows.schema, { token: 't' })).toEqual({ token: 't' });
  });

  it('a decoder that does not match it does not compile', () => {
    // @ts-expect-error -- the contract has no such property: it was renamed
    decoderOf<contract.RefreshResponse>()(v.object({ accessToken: v.optional(v.string()) }));
    const deep = v.object({ data: v.object({ attributes: v.object({ mail: v.nullish(v.string()) }) }) });
    // @ts-expect-error -- nor at any depth
    decoderOf<contract.UserResponse>()(deep);
    // @ts-expect-error -- the contract answers text
    decoderOf<contract.RefreshResponse>()(v.object({ token: v.number() }));
    // @ts-expect-error -- the contract allows it to be left out
    decoderOf<contract.TokenResponse>()(v.object({ token: v.string() }));
    // @ts-expect-error -- the contract allows null
    decoderOf<contract.UserAttributes>()(v.object({ lastReset: v.string() }));
    // @ts-expect-error -- the contract allows both values
    decoderOf<contract.TokenResponse>()(v.object({ mfaType: v.optional(v.picklist(['mfa'])) }));
    expect.assertions(0);
  });

  it('a call that does not match it does not compile', () => {
    const calls = (http: Http) => [
      http.post('/auth/v1/refresh', { body: { refresh: 'r' }, decoder: refreshResponse }),
      // @ts-expect-error -- no such path
      http.post('/auth/v2/refresh', { body: { refresh: 'r' }, decoder: refreshResponse }),
      // @ts-expect-error -- not with this method
      http.get('/auth/v1/refresh', { segments: {}, decoder: refreshResponse }),
      // @ts-expect-error -- another name in the body
      http.post('/auth/v1/refresh', { body: { refreshToken: 'r' }, decoder: refreshResponse }),
      // @ts-expect-error -- the decoder of another call
      http.post('/auth/v1/refresh', { body: { refresh: 'r' }, decoder: userResponse }),
      // @ts-expect-error -- the name of the segment
      http.get('/user-management/v1/users/{uid}', { segments: { id: 'u' }, decoder: userResponse }),
    ];
    expect(calls).toBeInstanceOf(Function);
  });
});
