/** @jest-environment node */
import fc from 'fast-check';
import { meetsPasswordRules } from '../../service/password/passwordRules';

describe('the rules of a new password', () => {
  it.each([
    ['eight characters', 'Abcdef1!'],
    ['fifty characters', `Aa1${'x'.repeat(47)}`],
    ['fifty that take two units each', `Aa1${'😀'.repeat(47)}`],
    ['four digits in a row', 'Abcd1234'],
    ['five digits, not in a row', 'Abc1234x5'],
    ['letters of another script', 'Жжжжжжж1'],
  ])('take %s', (_what, password) => {
    expect(meetsPasswordRules(password)).toBe(true);
  });

  it.each([
    ['seven characters', 'Abcde1!'],
    ['seven that take eight units', 'Abcd1😀!'.slice(0, 8)],
    ['fifty-one characters', `Aa1${'x'.repeat(48)}`],
    ['no digit', 'Abcdefgh'],
    ['no lowercase letter', 'ABCDEFG1'],
    ['no uppercase letter', 'abcdefg1'],
    ['a blank', 'Abc defg1'],
    ['a blank at the end', 'Abcdefg1 '],
    ['a tab', 'Abc\tdefg1'],
    ['a no-break space', 'Abc\u00a0defg1'],
    ['five digits in a row', 'Abc12345'],
    ['nothing', ''],
  ])('refuse %s', (_what, password) => {
    expect(meetsPasswordRules(password)).toBe(false);
  });

  it('stay broken by a run of five digits wherever it stands', () => {
    const part = fc.string({ minLength: 0, maxLength: 15 });
    const run = fc.stringMatching(/^[0-9]{5}$/);
    fc.assert(
      fc.property(part, run, part, (before, digits, after) => {
        expect(meetsPasswordRules(`Aa${before}${digits}${after}`)).toBe(false);
      }),
    );
  });
});
