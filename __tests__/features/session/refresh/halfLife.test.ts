/** @jest-environment node */
import { isExpired, isRefreshDue } from '@features/session/refresh/tokenClock';
import fc from 'fast-check';

const iat = 1_800_000_000;

describe('half of a token’s life', () => {
  it.each([
    { life: 900, afterMs: 0, due: false },
    { life: 900, afterMs: 449_999, due: false },
    { life: 900, afterMs: 450_000, due: true },
    { life: 900, afterMs: 900_000, due: true },
    { life: 7, afterMs: 3_499, due: false },
    { life: 7, afterMs: 3_500, due: true },
    { life: 0, afterMs: 0, due: true },
    { life: -60, afterMs: 0, due: true },
  ])('of a life of $life s has passed after $afterMs ms: $due', ({ life, afterMs, due }) => {
    expect(isRefreshDue({ iat, exp: iat + life }, iat * 1000 + afterMs)).toBe(due);
  });

  it('comes before the end of every life that is one', () => {
    const lives = fc.record({ iat: fc.nat(2e9), life: fc.integer({ min: 1, max: 1e6 }) });
    fc.assert(
      fc.property(lives, ({ iat: issued, life }) => {
        const token = { iat: issued, exp: issued + life };
        const end = token.exp * 1000;
        return (
          isExpired(token, end) && !isExpired(token, end - 1) && isRefreshDue(token, end - (life * 1000) / 2)
        );
      }),
    );
  });
});

describe('the end of a token’s life', () => {
  it.each([
    { atMs: iat * 1000 - 1, expired: false },
    { atMs: iat * 1000, expired: true },
    { atMs: iat * 1000 + 1, expired: true },
  ])('is at exp itself: $atMs ms, expired $expired', ({ atMs, expired }) => {
    expect(isExpired({ exp: iat }, atMs)).toBe(expired);
  });
});
