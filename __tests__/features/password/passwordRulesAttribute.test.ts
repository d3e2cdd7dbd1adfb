/** @jest-environment node */
import { passwordRules, passwordRulesAttribute } from '@features/password/passwordRules';

describe('the passwordrules attribute', () => {
  const rules = passwordRulesAttribute.split(';').map((rule) => rule.trim().split(': '));
  const valuesOf = (name: string) => rules.flatMap(([key, value = '']) => (key === name ? [value] : []));
  const meets = (password: string, name: string): boolean =>
    passwordRules.find((rule) => rule.name === name)?.isMet(password) === true;

  it('has the lengths of the rules, at both ends', () => {
    const [min = 0, max = 0] = [...valuesOf('minlength'), ...valuesOf('maxlength')].map(Number);
    expect([min - 1, min, max, max + 1].map((length) => meets('x'.repeat(length), 'length'))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('asks for each class of characters that the rules ask for, and for no other', () => {
    const classes = { lower: ['lowercase', 'a'], upper: ['uppercase', 'A'], digit: ['digit', '7'] } as const;
    expect(valuesOf('required').sort()).toEqual(Object.keys(classes).sort());
    for (const [rule, example] of Object.values(classes)) {
      expect([rule, meets(example, rule)]).toEqual([rule, true]);
      expect([rule, meets('-', rule)]).toEqual([rule, false]);
    }
  });

  it('says nothing else: that five digits may not follow each other has no words there', () => {
    expect(new Set(rules.map(([name]) => name))).toEqual(new Set(['minlength', 'maxlength', 'required', '']));
  });
});
