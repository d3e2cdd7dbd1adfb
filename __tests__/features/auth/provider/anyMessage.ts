import fc from 'fast-check';

const types = fc.constantFrom<unknown>(
  ...[
    'oauth/code',
    'oauth/error',
    'oauth/received',
    'oauth/Code',
    'oauth',
    'code',
    '',
    null,
    1,
    ['oauth/code'],
  ],
);
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom('', 'c', 'access_denied', 'access_denied\n', ' c', 'no_code', '__proto__'),
  fc.constantFrom(4095, 4096, 4097, 10_000).map((length) => 'c'.repeat(length)),
  fc.constantFrom(63, 64, 65).map((length) => 'e'.repeat(length)),
);
const values = fc.oneof(
  texts,
  fc.jsonValue(),
  fc.constantFrom<unknown>(undefined, null, 0, true, Number.NaN),
);

/** Close to what the pop-up says: the right names with wrong values, too many names, or too few. */
const nearMiss = fc.record(
  { type: types, code: values, error: values, state: values, toString: values, __proto__: values },
  { requiredKeys: [], noNullPrototype: false },
);

/** Anything that another window may say: anything that JSON can, anything that can be cloned, and near misses. */
export const anyMessage: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: nearMiss },
  { weight: 2, arbitrary: fc.record({ type: types, code: values }) },
  { weight: 2, arbitrary: fc.record({ type: types, error: values }) },
  { weight: 1, arbitrary: fc.jsonValue() },
  {
    weight: 1,
    arbitrary: fc.anything({
      withDate: true,
      withMap: true,
      withSet: true,
      withBigInt: true,
      withTypedArray: true,
    }),
  },
);

/** What the pop-up does say. */
export const genuineMessage: fc.Arbitrary<object> = fc.oneof(
  fc.record({
    type: fc.constant('oauth/code'),
    code: fc.string({ unit: 'binary', minLength: 1, maxLength: 100 }),
  }),
  fc.record({ type: fc.constant('oauth/error'), error: fc.stringMatching(/^[a-z_]{1,64}$/) }),
);

/** The channel protocol (decisions §7) written a second time, and differently: whether the pop-up may have said it. */
export function isGenuine(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
  const { type, ...rest } = message as Readonly<Record<string, unknown>>;
  const [[name, value] = ['', undefined], ...more] = Object.entries(rest);
  if (more.length > 0 || typeof value !== 'string' || type !== `oauth/${name}`) return false;
  if (name === 'code') return value.length >= 1 && value.length <= 4096;
  return (
    name === 'error' &&
    value.length <= 64 &&
    Array.from(value).every((letter) => '_abcdefghijklmnopqrstuvwxyz'.includes(letter)) &&
    value !== ''
  );
}
