import { dialogOpened } from '@features/ui-dialogs';
import type { FeatureScenarios, GivenWords, ScenariosOf, ScenarioTools, Variants } from '@shared/scenario';
import { recoveryMessages } from './recoveryCodes.messages';
import {
  recoveryCodesConfirmed,
  recoveryCodesCounted,
  recoveryCodesMade,
  recoveryCodesReducer,
  recoveryCopyEnded,
  recoveryCountFailed,
  type RecoveryCodesState,
} from './recoveryCodes.slice';

function scenarios({
  codeKindSwitched,
  like,
  settings,
  verifying,
}: ScenarioTools): ScenariosOf<'recovery-codes', RecoveryCodesState> {
  const open = (words: GivenWords) => settings(words, { isAppActive: true });
  const left =
    (remaining: number): Variants[string] =>
    (words) => [...open(words), recoveryCodesCounted(remaining)];
  const shown = (words: GivenWords) => [...open(words), recoveryCodesMade(1_793_611_800_000)];
  return {
    'recovery-codes.count/absent': { slow: open },
    'recovery-codes.count/failed': { failed: (words) => [...open(words), recoveryCountFailed()] },
    'recovery-codes.count/counted': { ten: left(10), three: left(3), one: left(1), none: left(0) },
    'recovery-codes.codes/none': { 'before the count': open },
    'recovery-codes.codes/requested': {
      'verifying the identity': (words) => [
        ...open(words),
        recoveryCodesConfirmed(),
        ...verifying('recovery-codes'),
      ],
    },
    'recovery-codes.codes/shown': {
      shown,
      copied: (words) => [...shown(words), recoveryCopyEnded('copied')],
      'copying refused': (words) => [...shown(words), recoveryCopyEnded('refused')],
    },
    'auth.challenge/entering': {
      'recovery code': (words) => [
        ...like('auth.challenge/entering/text message', words),
        codeKindSwitched('recovery-codes'),
      ],
    },
    'dialogs/replaceCodes': {
      question: (words) => [
        ...settings(words),
        dialogOpened({ ...recoveryMessages.replace, kind: 'confirm' }),
      ],
    },
  };
}

/** Scenarios of recovery codes at the account settings. */
export const recoveryScenarios: FeatureScenarios = {
  reducer: recoveryCodesReducer,
  scenarios,
  secrets: {
    recoveryCodes: [
      '7F3K-9QXA-2MVD-H4TE',
      '0YJ8-RB5N-WC1G-6ZPS',
      '3HTA-V92K-XQ7D-M4FE',
      'B6WN-15ZR-CJ8Y-0GPS',
      'QK4D-7AVM-2X9H-TEF3',
      '8YGS-P0CJ-6R5B-1ZNW',
      'MDX2-HT4E-A9QK-7F3V',
      'C1ZW-0N8S-PG6Y-RJ5B',
      'E7TF-3KDQ-V4XA-9H2M',
      '5SNB-YW8P-G1RC-Z60J',
    ],
  },
};
