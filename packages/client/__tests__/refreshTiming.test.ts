/** @jest-environment node */
import fc from 'fast-check';
import { isRefreshDue } from '../src/claims';
import { pauseAfter, pauseLeft, retryAfterMs } from '../src/refreshTiming';
import { isExpired, isWrongSkew, skewBy, tokenClock } from '../src/tokenClock';

const iat = 1_800_000_000;
const quarterHour = { iat, exp: iat + 900 };
/** A time of the token's life, seconds after its issue. */
const at = (seconds: number) => (iat + seconds) * 1000;

describe('half of a token’s life', () => {
  it.each([
    { life: 7, afterMs: 3499, due: false },
    { life: 7, afterMs: 3500, due: true },
    { life: 0, afterMs: 0, due: true },
    { life: -60, afterMs: 0, due: true },
  ])('of $life s has passed after $afterMs ms: $due', ({ life, afterMs, due }) => {
    expect(isRefreshDue({ iat, exp: iat + life }, iat * 1000 + afterMs)).toBe(due);
  });

  it('is before the end of every life', () => {
    const lives = fc.record({ issued: fc.nat(2e9), life: fc.integer({ min: 1, max: 1e6 }) });
    fc.assert(
      fc.property(lives, ({ issued, life }) => {
        const token = { iat: issued, exp: issued + life };
        const end = token.exp * 1000;
        return isExpired(token, end) && !isExpired(token, end - 1) && isRefreshDue(token, end - life * 500);
      }),
    );
  });
});

it('the wait after a failure doubles from 2 s to a minute, half of it random, unless the service asks for more', () => {
  const waits = [0, 1, 4, 5, 20].map((failures) =>
    [0, 1].map((random) => {
      const [count, since, until] = pauseAfter(`${String(failures)} 0 0`, 1000, 0, random)
        .split(' ')
        .map(Number);
      expect([count, since]).toEqual([failures + 1, 1000]);
      return (until ?? 0) - 1000;
    }),
  );
  expect(waits).toEqual([
    [1000, 2000],
    [2000, 4000],
    [16_000, 32_000],
    [30_000, 60_000],
    [30_000, 60_000],
  ]);
  expect(pauseAfter(null, 1000, 90_000, 0.5)).toBe('1 1000 91000');
  expect(pauseAfter('no numbers', 1000, 0, 1)).toBe('1 1000 3000');
});

it.each([
  ['7', 7000],
  [' 7 ', 7000],
  ['9'.repeat(400), 86_400_000],
  ['Thu, 01 Jan 2026 00:00:20 GMT', 20_000],
  ['Thu, 01 Jan 2026 06:00:00 GMT', 21_600_000],
  ['Thu, 01 Jan 2027 00:00:00 GMT', 86_400_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['0', 0],
  ['soon', 0],
  ['Someday, 99', 0],
  ['-5', 0],
  ['', 0],
  [null, 0],
])('a service that sends Retry-After %j asks for %d ms', (header, ms) => {
  expect(Math.max(0, retryAfterMs(header, Date.UTC(2026, 0, 1)))).toBe(ms);
});

describe('the wait that is left', () => {
  const failedAt = (since: number, untilMs: number) => `1 ${String(at(since))} ${String(untilMs)}`;

  it.each<readonly [string, string | null, typeof quarterHour, number, number]>([
    ['nothing has failed', null, quarterHour, 450, 0],
    ['a wait of a minute', failedAt(450, at(510)), quarterHour, 470, 40],
    ['it is over', failedAt(450, at(510)), quarterHour, 510, 0],
    ['a long one, cut short for a last try', failedAt(450, at(9999)), quarterHour, 451, 434],
    ['after the last try it is kept', failedAt(885, at(9999)), quarterHour, 886, 9113],
    ['the token has expired', failedAt(890, at(9999)), quarterHour, 900, 0],
    ['a token of 20 s, with a last try after 15', failedAt(10, at(70)), { iat, exp: iat + 20 }, 11, 4],
    ['not within 2 s of the failure', failedAt(884, at(9999)), quarterHour, 884, 2],
    ['the clock was set back', failedAt(450, at(9999)), quarterHour, 449, 0],
  ])('%s', (_case, stored, token, seconds, left) => {
    expect(pauseLeft(stored, token, at(seconds), at(seconds))).toBe(left * 1000);
  });

  it('ends by the clock of the service', () => {
    expect(pauseLeft(failedAt(9450, at(19_999)), quarterHour, at(9451), at(451))).toBe(434_000);
  });
});

it.each([
  [0, '0'],
  [4999, '0'],
  [-4999, '0'],
  [5000, '5000'],
  [-7_200_000, '-7200000'],
])('a clock that is %d ms ahead has the skew %s', (aheadMs, skew) => {
  expect(skewBy(quarterHour, at(0) + aheadMs)).toBe(skew);
  expect(tokenClock(skew, at(60))).toEqual({ now: at(60) - Number(skew), isMeasured: true });
});

it.each(['', 'soon', 'Infinity', null])('a stored skew of %j is ignored', (skew) => {
  expect(tokenClock(skew, at(60)).now).toBe(at(60));
});

it.each<readonly [string, string, number, boolean]>([
  ['makes the token one of the future', '60000', 0, true],
  ['makes an expired token one of the future', '3600000', 1000, true],
  ['makes a valid token expired', '-3600000', 60, true],
  ['makes a token expired that has a second left', '-3600000', 899, true],
  ['makes a token expired whose service is 4 s ahead', '-3600000', -4, true],
  ['shows an expired token as such', '-3600000', 1000, false],
  ['fits', '60000', 300, false],
])(
  'a skew that %s (%s ms, %d s after the issue) is dropped when a page opens: %s',
  (_what, skew, seconds, isWrong) => {
    expect(isWrongSkew(skew, quarterHour, at(seconds))).toBe(isWrong);
  },
);
