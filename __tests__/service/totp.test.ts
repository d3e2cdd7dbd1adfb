/** @jest-environment node */
import fc from 'fast-check';
import { fromBase32, toBase32 } from '../../service/mfa/base32';
import { matchingStep, newTotpSecret, otpauthUrl, totpCode } from '../../service/mfa/totp';
import { appCode, wrongAppCode } from './support/authenticator';

/** RFC 6238, appendix B (SHA-1), cut to the six digits that apps show. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const rfcCodes = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('the codes of an authenticator app', () => {
  it.each(rfcCodes)('are those of RFC 6238 at second %i', async (second, code) => {
    expect(totpCode(rfcSecret, second * 1000)).toBe(code);
    expect(matchingStep(rfcSecret, code, second * 1000)).toBe(Math.floor(second / 30));
    // The tests' own app is measured by the same vectors.
    expect(await appCode(rfcSecret, second * 1000)).toBe(code);
  });

  it('are those of another implementation for any secret at any time', async () => {
    const secrets = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toBase32);
    await fc.assert(
      fc.asyncProperty(secrets, fc.integer({ min: 0, max: 4_000_000_000_000 }), async (secret, at) => {
        expect(totpCode(secret, at)).toBe(await appCode(secret, at));
      }),
    );
  });

  it('are taken one step early and one step late, and not two', async () => {
    const at = Date.UTC(2026, 2, 14, 9, 26, 53);
    const step = Math.floor(at / 30_000);
    const found = await Promise.all(
      [-2, -1, 0, 1, 2].map(async (shift) =>
        matchingStep(rfcSecret, await appCode(rfcSecret, at + shift * 30_000), at),
      ),
    );
    expect(found).toEqual([null, step - 1, step, step + 1, null]);
  });

  it('are nothing but the six digits', async () => {
    const at = 59_000;
    for (const entered of [
      '',
      '28708',
      '2870820',
      ' 287082',
      '２８７０８２',
      await wrongAppCode(rfcSecret, at),
    ]) {
      expect(matchingStep(rfcSecret, entered, at)).toBeNull();
    }
  });
});

describe('the secret of an authenticator app', () => {
  it('has 160 bits, new each time', () => {
    const secrets = Array.from({ length: 50 }, newTotpSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      expect(fromBase32(secret)).toHaveLength(20);
    }
  });

  it('is offered as an otpauth address in which every name is encoded', () => {
    const url = new URL(otpauthUrl('Pay & Co', 'a/b?c#d:é@x.example', 'JBSWY3DPEHPK3PXP'));
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp']);
    expect(url.pathname.split(':').map(decodeURIComponent)).toEqual(['/Pay & Co', 'a/b?c#d:é@x.example']);
    expect(Object.fromEntries(url.searchParams)).toEqual({ secret: 'JBSWY3DPEHPK3PXP', issuer: 'Pay & Co' });
  });

  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('is written in base32: %p as %p (RFC 4648 §10)', (plain, encoded) => {
    expect(toBase32(Buffer.from(plain))).toBe(encoded);
    expect(fromBase32(encoded).toString()).toBe(plain);
    expect(fromBase32(`${encoded.toLowerCase()}======`).toString()).toBe(plain);
  });

  it('is refused in any other alphabet', () => {
    expect(() => fromBase32('MZXW1')).toThrow('not base32');
  });
});
