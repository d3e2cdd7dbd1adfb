import type { FeatureScenarios } from '@shared/scenario';
import { passwordCheckMessages } from './passwordCheck.messages';

/** Scenarios of a new password that the service refused. */
export const passwordCheckScenarios: FeatureScenarios = {
  scenarios: ({ passwordRefused }) => ({
    'password.newPassword/editing': {
      'breached password': () => passwordRefused(passwordCheckMessages.password_breached),
      'guessable password': () => passwordRefused(passwordCheckMessages.password_guessable),
    },
  }),
};
