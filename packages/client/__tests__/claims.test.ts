/** @jest-environment node */
import fc from 'fast-check';
import { examples } from '@vestibule/contract/testing/examples';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';
import { decodeClaims, type Claims } from '../src/claims';
import { unsignedJwt } from './support/tokens';

const payload = {
  uid: 'u_1',
  username: 'ada@example.com',
  email: 'ada@example.com',
  firstName: 'Ada',
  method: 'basic',
  isMfaSetup: true,
  personas: { ledger: [{ applicationUrl: 'https://ledger.test/' }] },
  exp: 1_800_000_900,
  iat: 1_800_000_000,
};

const without = (key: keyof typeof payload): object =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => name !== key));

describe('a valid token', () => {
  it('is decoded into the claims that the application uses, and nothing else', () => {
    expect(decodeClaims(unsignedJwt({ ...payload, aud: 'payments', scope: 'everything' }))).toEqual<Claims>({
      uid: 'u_1',
      username: 'ada@example.com',
      email: 'ada@example.com',
      firstName: 'Ada',
      method: 'basic',
      isMfaSetup: true,
      personas: { ledger: ['https://ledger.test/'] },
      exp: 1_800_000_900,
      iat: 1_800_000_000,
    });
  });

  it('may have fewer claims about the user', () => {
    const claims = decodeClaims(unsignedJwt({ uid: 'u_1', exp: 2, iat: 1 }));
    expect(claims).toEqual<Claims>({
      uid: 'u_1',
      username: '',
      email: '',
      firstName: '',
      method: 'other',
      isMfaSetup: false,
      personas: {},
      exp: 2,
      iat: 1,
    });
  });

  it.each(['username', 'email', 'firstName', 'method', 'isMfaSetup', 'personas'] as const)(
    'may have no %s',
    (key) => {
      expect(decodeClaims(unsignedJwt({ ...payload, [key]: null }))).toEqual(
        decodeClaims(unsignedJwt(without(key))),
      );
    },
  );

  it('keeps a persona group whose entries have no address, and omits one without entries', () => {
    const personas = {
      hub: [{}, { applicationUrl: 'https://hub.test/' }, { applicationUrl: null }],
      empty: [],
    };
    expect(decodeClaims(unsignedJwt({ ...payload, personas }))?.personas).toEqual({
      hub: ['https://hub.test/'],
    });
  });

  it.each([
    [7, '7'],
    [0, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('may have a numeric uid: %j', (uid, text) => {
    expect(decodeClaims(unsignedJwt({ ...payload, uid }))?.uid).toBe(text);
  });

  it('shows how the user signed in: with a password, with a provider that it names, or in another way', () => {
    for (const method of ['basic', 'google', 'microsoft', 'other'] as const)
      expect(decodeClaims(unsignedJwt({ ...payload, method }))?.method).toBe(method);
    expect(decodeClaims(unsignedJwt({ ...payload, method: 'Basic' }))?.method).toBe('other');
  });

  it('is decoded correctly beyond ASCII', () => {
    expect(decodeClaims(unsignedJwt({ ...payload, firstName: 'Zoë 名' }))?.firstName).toBe('Zoë 名');
  });
});

describe('an invalid token', () => {
  it.each([
    ['empty', ''],
    ['a word', 'token'],
    ['two dots', '..'],
    ['not base64', 'a.%%%.b'],
    ['not JSON', `x.${Buffer.from('{"uid":').toString('base64url')}.y`],
    ['a truncated token', unsignedJwt(payload).slice(0, 60)],
    ['JSON null', `x.${Buffer.from('null').toString('base64url')}.y`],
    ['a JSON list', `x.${Buffer.from('[]').toString('base64url')}.y`],
    ['a JSON string', `x.${Buffer.from('"u_1"').toString('base64url')}.y`],
  ])('%s', (_name, token) => {
    expect(decodeClaims(token)).toBeNull();
  });

  it.each<readonly [string, object]>([
    ['no uid', without('uid')],
    ['an empty uid', { ...payload, uid: '' }],
    ['a uid that is not an integer', { ...payload, uid: 1.5 }],
    ['a uid beyond the safe integers', { ...payload, uid: 2 ** 53 }],
    ['a uid that is neither text nor number', { ...payload, uid: true }],
    ['no exp', without('exp')],
    ['no iat', without('iat')],
    ['exp as text', { ...payload, exp: '1800000900' }],
    ['a negative exp', { ...payload, exp: -1 }],
    ['an exp beyond the range of dates', { ...payload, exp: 1e20 }],
    ['a name that is a list', { ...payload, firstName: ['Ada'] }],
    ['personas that are a list', { ...payload, personas: ['ledger'] }],
    ['a persona group that is not a list', { ...payload, personas: { ledger: 'https://ledger.test/' } }],
    ['a persona entry that is a text', { ...payload, personas: { ledger: ['https://ledger.test/'] } }],
    ['an address that is a number', { ...payload, personas: { ledger: [{ applicationUrl: 1 }] } }],
    ['isMfaSetup as text', { ...payload, isMfaSetup: 'true' }],
  ])('%s', (_name, claims) => {
    expect(decodeClaims(unsignedJwt(claims))).toBeNull();
  });
});

describe('any content of the cookie', () => {
  const runs = examples(100_000);
  const unexpectedValue = fc.constantFrom<unknown>(
    ...[null, true, -1, 0, 1e309, Number.MAX_SAFE_INTEGER, '', 'x', [], {}, [[]], { applicationUrl: 7 }],
  );
  const keys = fc.constantFrom(...Object.keys(payload), '__proto__', 'constructor', 'toString', 'then');
  const brokenPayload = fc.oneof(
    fc
      .dictionary(keys, fc.oneof(unexpectedValue, fc.jsonValue({ maxDepth: 2 })))
      .map((changes) => ({ ...payload, ...changes })),
    fc.jsonValue(),
  );
  const jsonPart = (json: string) => `x.${Buffer.from(json).toString('base64url')}.y`;
  const tokens = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 80 }),
    fc.tuple(fc.nat(400), fc.constant(unsignedJwt(payload))).map(([end, token]) => token.slice(0, end)),
    brokenPayload.map((value) => jsonPart(JSON.stringify(value))),
    fc
      .tuple(keys, fc.json({ maxDepth: 1 }))
      // Text, not objects: only JSON.parse makes `__proto__` an own property.
      .map(([key, value]) =>
        jsonPart(`{"uid":"u_1","exp":2,"iat":1,"personas":{"${key}":${value}},"${key}":${value}}`),
      ),
  );

  /** Huge numbers, deep nesting, truncated text. */
  const oddities = [
    jsonPart('{"exp":1e999,"iat":-0,"uid":"u"}'),
    jsonPart('[['.repeat(200_000)),
    jsonPart(`${'{"personas":'.repeat(50_000)}1${'}'.repeat(50_000)}`),
    jsonPart('{"uid":"u'.repeat(9)),
  ];

  /** Whether the rest of the application can process it. A condition, because `expect` is slow at 10^5 runs. */
  const isSound = (claims: Claims): boolean =>
    typeof claims.uid === 'string' &&
    claims.uid !== '' &&
    !Number.isNaN(new Date(claims.exp * 1000).getTime()) &&
    !Number.isNaN(new Date(claims.iat * 1000).getTime()) &&
    Object.values(claims.personas)
      .flat()
      .every((address) => typeof address === 'string') &&
    Object.getPrototypeOf(claims) === Object.prototype;

  it('is decoded without throwing, to a value that can be processed', () => {
    let decoded = 0;
    fc.assert(
      fc.property(tokens, (token) => {
        const claims = decodeClaims(token);
        if (claims === null) return true;
        decoded += 1;
        return isSound(claims);
      }),
      { numRuns: runs, examples: oddities.map((token) => [token] as [string]) },
    );
    expect(({} as Record<string, unknown>)['uid']).toBeUndefined();
    expect(decoded).toBeGreaterThan(runs / 100);
  }, 120_000);
});
