/** @jest-environment node */
import { isReceived, readOauthMessage } from '@features/auth/provider/oauthChannel';
import fc from 'fast-check';
import { examples } from '@vestibule/contract/testing/examples';
import { settle } from '../../../support/openApp';
import { openReturn } from './openReturn';
import { openWithProviders } from './openWithProviders';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const types = fc.constantFrom<unknown>(
  ...['oauth/code', 'oauth/error', 'oauth/received', 'oauth/Code', 'oauth', 'code', ''],
  ...[null, 1, ['oauth/code']],
);
const texts = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 80 }),
  fc.constantFrom('', 'c', 'access_denied', 'access_denied\n', ' c', 'no_code', '__proto__'),
  fc.constantFrom(4095, 4096, 4097, 10_000).map((length) => 'c'.repeat(length)),
  fc.constantFrom(63, 64, 65).map((length) => 'e'.repeat(length)),
);
const values = fc.oneof(
  texts,
  fc.jsonValue(),
  fc.constantFrom<unknown>(undefined, null, 0, true, Number.NaN),
);

/** Similar to the pop-up's messages: the right names with wrong values, too many names, or too few. */
const nearMiss = fc.record(
  { type: types, code: values, error: values, state: values, toString: values, __proto__: values },
  { requiredKeys: [], noNullPrototype: false },
);

/** Any message of another window: any JSON, anything that can be cloned, and near misses. */
const anyMessage: fc.Arbitrary<unknown> = fc.oneof(
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

/** The protocol of docs/behaviour.md#channel-messages, implemented a second time in another way. */
function isGenuine(message: unknown): boolean {
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

const runs = examples(100_000);

describe('a message of the pop-up window', () => {
  it('of any shape is accepted exactly if it is valid, and parsing never throws', () => {
    let genuine = 0;
    fc.assert(
      fc.property(anyMessage, (message) => {
        if (isGenuine(message)) genuine += 1;
        expect(readOauthMessage(message) !== null).toBe(isGenuine(message));
      }),
      { numRuns: runs },
    );
    // Both kinds were tested.
    expect(genuine).toBeGreaterThan(runs / 500);
    expect(runs - genuine).toBeGreaterThan(runs / 2);
  });
});

describe('the answer of the opener', () => {
  it('is searched in any value without throwing', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const { type } = Object(message) as { readonly type?: unknown };
        expect(isReceived(message)).toBe(typeof message === 'object' && type === 'oauth/received');
      }),
      { numRuns: runs },
    );
  });
});

/** For all of them on a busy machine, ms. */
const patienceMs = 60_000;
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Messages that the ports deliver but that the pop-up cannot have sent. */
const forged = anyMessage.filter(isObject).filter((message) => !isGenuine(message));

describe('messages of any other window', () => {
  it(
    'on the channel or by postMessage do not affect or end a pending flow, and are not answered',
    async () => {
      const app = await openWithProviders();
      const window = await app.choose('microsoft');
      const pending = app.state();
      const dispatched = app.dispatched();
      fc.assert(
        fc.property(forged, fc.boolean(), (message, onChannel) => {
          if (onChannel) app.sayOnChannel('state-1', message);
          else if ('state' in message) window.inside.post(message);
          else window.say(message);
          expect(app.state()).toBe(pending);
        }),
        { numRuns: examples(5000) },
      );
      await settle();
      expect(app.dispatched()).toBe(dispatched);
      expect(app.deps.api.auth.token).not.toHaveBeenCalled();
      expect([app.deps.log.errors, app.deps.log.warnings, window.heard]).toEqual([[], [], []]);
      expect(app.traces()).toEqual({ channels: ['state-1'], states: ['state-1'], listeners: 1 });

      // It was listening all the time.
      window.say({ type: 'oauth/code', code: 'code-1' });
      await settle();
      expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    },
    patienceMs,
  );

  it(
    'to the pop-up window are ignored unless they are the answer',
    async () => {
      const page = openReturn('?code=code-1&state=state-1');
      await settle();
      const notTheAnswer = anyMessage
        .filter(isObject)
        .filter((message) => !('type' in message && message.type === 'oauth/received'));
      fc.assert(
        fc.property(notTheAnswer, fc.boolean(), (message, onChannel) => {
          if (onChannel) page.answerOnChannel(message);
          else page.answerAsOpener(message);
          expect(page.state().auth.oauthReturn.phase).toBe('passing');
        }),
        { numRuns: examples(5000) },
      );
      expect(page.deps.popup.closedSelf()).toBe(false);
      expect(page.deps.log.errors).toEqual([]);
      page.answerAsOpener({ type: 'oauth/received' });
      await settle();
      expect(page.deps.popup.closedSelf()).toBe(true);
    },
    patienceMs,
  );
});
