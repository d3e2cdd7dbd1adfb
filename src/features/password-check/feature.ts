import type { Feature } from '@shared/deps';
import { passwordCheckMessages } from './passwordCheck.messages';
import { passwordCheckScenarios } from './passwordCheck.scenarios';

/** See docs/behaviour.md#passwords. */
export const passwordCheck = {
  name: 'password-check',
  passwordRefusals: {
    password_breached: passwordCheckMessages.breached,
    password_guessable: passwordCheckMessages.guessable,
  },
  ...(process.env['NODE_ENV'] !== 'production' && { scenarios: passwordCheckScenarios }),
} as const satisfies Feature;
