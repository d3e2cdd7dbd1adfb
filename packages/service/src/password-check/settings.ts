import type { AppConfig } from '@vestibule/contract/appConfig';
import * as v from 'valibot';
import type { ServiceSettings } from '../core/settings/options.ts';
import type { SettingsPart } from '../capability.ts';
import { list, onOff, text } from '../platform/settings/variables.ts';

export interface PasswordCheckSettings extends ServiceSettings {
  /** Whether breached and common passwords are refused. Default `false`. */
  readonly passwordCheck: boolean;
  /** The file that `vestibule passwords import` writes. Absent: only common passwords are known. */
  readonly passwordList?: string;
  /** With `passwordCheck`: brands and other words that a password must not consist of. The host names count without being listed. */
  readonly passwordWords: readonly string[];
}

/** The service ignores shorter words. */
const passwordWord = v.pipe(
  v.string(),
  v.regex(/^[^,\p{Cc}]{4,}$/u, 'must be a word of four characters or more, without a comma'),
);

/** Labels without commas, which separate the entries of the variable. */
const brandLabels = ({ brands }: AppConfig): readonly string[] =>
  Object.values(brands).map(({ label }) => label.replace(/[,\p{Cc}]/gu, ' '));

export const passwordCheckSettings: SettingsPart<PasswordCheckSettings> = {
  defaults: { passwordCheck: false, passwordWords: [] },
  read: (read) => ({
    passwordCheck: read('PASSWORD_CHECK', onOff),
    passwordList: read('PASSWORD_LIST', text),
    passwordWords: read('PASSWORD_WORDS', v.optional(v.pipe(v.string(), list))),
  }),
  deployment: {
    ownKeys: ['service.passwordWords'],
    /** Words that a password must not consist of, in addition to the brands and host names of the page. */
    keys: { passwordWords: v.optional(v.array(passwordWord), []) },
    names: ['PASSWORD_WORDS'],
    variables: (page, { passwordWords }) =>
      page.extensions.includes('password-check')
        ? {
            PASSWORD_CHECK: 'on',
            PASSWORD_WORDS: [...brandLabels(page), ...(passwordWords as readonly string[])].join(','),
          }
        : {},
  },
};
