/** @jest-environment node */
import { keyGroups } from '@features/mfa/setup/keyGroups';
import fc from 'fast-check';

describe('a secret key in groups', () => {
  it.each([
    ['', []],
    ['ABC', ['ABC']],
    ['ABCD', ['ABCD']],
    ['ABCDE', ['ABCD', 'E']],
    ['JBSWY3DPEHPK3PXP', ['JBSW', 'Y3DP', 'EHPK', '3PXP']],
  ])('of %j is %j', (key, groups) => {
    expect(keyGroups(key)).toEqual(groups);
  });

  it('loses and changes nothing, and has groups of four up to the last', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (key) => {
        const groups = keyGroups(key);
        expect(groups.join('')).toBe(key);
        expect(groups.slice(0, -1).every((group) => Array.from(group).length === 4)).toBe(true);
        expect(groups).not.toContain('');
      }),
    );
  });
});
