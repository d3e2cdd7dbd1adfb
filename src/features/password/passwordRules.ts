import type { MessageDescriptor } from '@lingui/core';
import { passwordMessages } from './password.messages';

const { rules: words } = passwordMessages;

/** One rule of a new password: docs/behaviour.md#password-rules. */
interface PasswordRule {
  readonly name: keyof typeof words;
  readonly isMet: (password: string) => boolean;
}

const shortest = 8;
const longest = 50;

/** The form of Unicode (NFC) in which the service compares passwords. The page sends them as typed. */
export const composed = (password: string): string => password.normalize('NFC');

/** The length in code points, so that a character of two UTF-16 units counts once. */
const length = (password: string): number => Array.from(password).length;

/** The rules in the order of the list. Letters and digits of every script count, as they do for the service. */
export const passwordRules: readonly PasswordRule[] = [
  rule('length', (password) => length(password) >= shortest && length(password) <= longest),
  rule('digit', (password) => /\p{Nd}/u.test(password)),
  rule('lowercase', (password) => /\p{Ll}/u.test(password)),
  rule('uppercase', (password) => /\p{Lu}/u.test(password)),
  rule('noWhitespace', (password) => !/\s/u.test(password)),
  rule('noDigitRun', (password) => !/\p{Nd}{5}/u.test(password)),
];

function rule(name: PasswordRule['name'], isMet: PasswordRule['isMet']): PasswordRule {
  return { name, isMet: (password) => isMet(composed(password)) };
}

/** Whether a new password may be sent. */
export function meetsRules(password: string): boolean {
  return passwordRules.every(({ isMet }) => isMet(password));
}

/**
 * One sentence for screen readers about the unmet rules, announced when the field is left.
 *
 * @param translate - `_` of `useLingui`
 */
export function describeUnmet(password: string, translate: (text: MessageDescriptor) => string): string {
  const unmet = passwordRules.filter(({ isMet }) => !isMet(password));
  const { allMet, notMet, list } = passwordMessages.status;
  return unmet.length === 0
    ? translate(allMet)
    : translate(
        notMet(
          unmet.length,
          unmet
            .map(({ name }) => translate(words[name]))
            .reduce((first, next) => translate(list(first, next))),
        ),
      );
}

/**
 * The `passwordrules` attribute, by which password managers generate a password. The language of the attribute cannot exclude
 * a run of digits, so it allows only one digit, at most four times in a row.
 */
export const passwordRulesAttribute = `minlength: ${String(shortest)}; maxlength: ${String(longest)}; max-consecutive: 4; required: lower; required: upper; required: [7];`;
