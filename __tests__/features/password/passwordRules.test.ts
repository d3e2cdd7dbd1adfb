/** @jest-environment node */
import { inEnglish } from '../../support/openApp';
import {
  describeUnmet,
  meetsRules,
  passwordRules,
  passwordRulesAttribute,
} from '@features/password/passwordRules';
import fc from 'fast-check';
import { meetsPasswordRules } from '@vestibule/service/testing/passwordRules';
import { examples } from '@vestibule/contract/testing/examples';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';

const isIn = (category: RegExp) => (letter: string) => category.test(letter);
const isDigit = isIn(/^\p{Decimal_Number}$/u);
const isLower = isIn(/^\p{Lowercase_Letter}$/u);
const isUpper = isIn(/^\p{Uppercase_Letter}$/u);
const isBlank = isIn(/^\s$/u);

/** The rules implemented a second time, in another way: character by character of the composed form. */
function isFit(password: string): boolean {
  const letters = Array.from(password.normalize('NFC'));
  let run = 0;
  for (const letter of letters) {
    run = isDigit(letter) ? run + 1 : 0;
    if (run === 5) return false;
  }
  return (
    letters.length > 7 &&
    letters.length < 51 &&
    letters.some(isDigit) &&
    letters.some(isLower) &&
    letters.some(isUpper) &&
    !letters.some(isBlank)
  );
}

/** Mostly close to the rules: pieces of every kind, and letters that UTF-16 stores as two units. */
const anyPassword = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('a', 'Z', '7', 'ab', 'Q', '12', '1234', '12345', '-') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ' ',
          '\t',
          '\u00a0',
          '\u2003',
          'é',
          'Ä',
          'A\u0308',
          '\u0301',
          'ß',
          '٣',
          '𝟗',
          '😀',
          '𐐨',
          '𐐀',
        ),
      },
      { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }) },
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''));

describe('the rules of a new password', () => {
  it('agree with an independent implementation, on the page and at the service', () => {
    let fit = 0;
    fc.assert(
      fc.property(anyPassword, (password) => {
        const expected = isFit(password);
        if (expected) fit += 1;
        expect([meetsRules(password), meetsPasswordRules(password)]).toEqual([expected, expected]);
        expect(describeUnmet(password, inEnglish) === 'All password requirements are met.').toBe(expected);
      }),
      { numRuns: examples(100_000) },
    );
    // It produces valid and invalid ones.
    expect(fit).toBeGreaterThan(examples(5000));
    expect(fit).toBeLessThan(examples(95_000));
  }, 120_000);

  it.each([
    ['seven characters', 'Abcde1f', false],
    ['eight', 'Abcdef1g', true],
    ['fifty', `A1${'a'.repeat(48)}`, true],
    ['fifty-one', `A1${'a'.repeat(49)}`, false],
    ['eight that UTF-16 stores as more units', 'Aa1😀😀😀😀😀', true],
    ['seven that UTF-16 stores as more units', 'Aa1😀😀😀😀', false],
    ['fifty whose letters were typed as two characters each', `A1${'u\u0308'.repeat(48)}`, true],
    ['fifty-one whose letters were typed as two characters each', `A1${'u\u0308'.repeat(49)}`, false],
    ['seven, one of which was typed as two characters', 'Zu\u0308rich7', false],
    ['four digits in a row', 'Abcd1234', true],
    ['five', 'Abcd12345', false],
    ['five in two runs', 'Abc123d45', true],
    ['five digits between others', '1Ab12345cd6', false],
    ['a space at the end', 'Abcdef1g ', false],
    ['a tab', 'Abc\tdefg1', false],
    ['a no-break space', 'Abc\u00a0defg1', false],
    ['letters of another script', 'Жжжжжжж1', true],
    ['nothing', '', false],
    ['no digit', 'Abcdefgh', false],
    ['no lower-case letter', 'ABCDEFG1', false],
    ['no upper-case letter', 'abcdefg1', false],
  ])('%s', (_name, password, fits) => {
    expect([meetsRules(password), meetsPasswordRules(password)]).toEqual([fits, fits]);
  });

  it('list all missing requirements in one sentence', () => {
    expect(describeUnmet('abc', inEnglish)).toBe(
      '3 not met: 8 to 50 characters, at least one digit, at least one uppercase letter.',
    );
    expect(passwordRules).toHaveLength(6);
  });
});

describe('the passwordrules attribute', () => {
  const rules = passwordRulesAttribute.split(';').map((rule) => rule.trim().split(': '));
  const valuesOf = (name: string) => rules.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const meets = (password: string, name: string): boolean =>
    passwordRules.find((rule) => rule.name === name)?.isMet(password) === true;

  it('accepts the minimum and maximum length of the rules', () => {
    const [min = 0, max = 0] = [...valuesOf('minlength'), ...valuesOf('maxlength')].map(Number);
    expect([min - 1, min, max, max + 1].map((length) => meets('x'.repeat(length), 'length'))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('requires the same classes of characters as the rules, and no other', () => {
    const classes = { lower: ['lowercase', 'a'], upper: ['uppercase', 'A'], '[7]': ['digit', '7'] } as const;
    expect(valuesOf('required').sort()).toEqual(Object.keys(classes).sort());
    for (const [rule, example] of Object.values(classes)) {
      expect([rule, meets(example, rule)]).toEqual([rule, true]);
      expect([rule, meets('-', rule)]).toEqual([rule, false]);
    }
  });

  it('allows no five digits in a row: there is one digit, and only so often', () => {
    const [most] = valuesOf('max-consecutive').map(Number);
    expect([
      meets('7'.repeat(most ?? 0), 'noDigitRun'),
      meets('7'.repeat((most ?? 0) + 1), 'noDigitRun'),
    ]).toEqual([true, false]);
    expect(new Set(rules.map(([name]) => name))).toEqual(
      new Set(['minlength', 'maxlength', 'max-consecutive', 'required', '']),
    );
  });
});
