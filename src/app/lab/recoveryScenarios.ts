import {
  recoveryCodesConfirmed,
  recoveryCodesCounted,
  recoveryCodesMade,
  recoveryCopyEnded,
  recoveryCountFailed,
} from '@features/recovery-codes/recoveryCodes.slice';
import { verifyIdentityEntered } from '@features/auth/verify-identity/verification.slice';
import { profileLoaded, profileRequested } from '@features/session';
import type { UnknownAction } from '@reduxjs/toolkit';
import { paths } from '@vestibule/contract/paths';
import { userAttributes } from './builders';
import { at, signedIn, type GivenWords, type Variants } from './scenario';

const settings = (words: GivenWords): readonly UnknownAction[] => [
  signedIn(words),
  at(paths.accountSettings()),
  profileRequested(),
  profileLoaded(userAttributes({ email: words.username, isAppActive: true })),
];
const left =
  (remaining: number): Variants[string] =>
  (words) => [...settings(words), recoveryCodesCounted(remaining)];
const shown = (words: GivenWords): readonly UnknownAction[] => [
  ...settings(words),
  recoveryCodesMade(1_793_611_800_000),
];

/** Scenarios of recovery codes at the account settings. */
export const recoveryScenarios = {
  'recoveryCodes.count/absent': { slow: settings },
  'recoveryCodes.count/failed': { failed: (words) => [...settings(words), recoveryCountFailed()] },
  'recoveryCodes.count/counted': { ten: left(10), three: left(3), one: left(1), none: left(0) },
  'recoveryCodes.codes/none': { 'before the count': settings },
  'recoveryCodes.codes/requested': {
    'verifying the identity': (words) => [
      ...settings(words),
      recoveryCodesConfirmed(),
      at(paths.askPassword('recovery-codes')),
      verifyIdentityEntered('password'),
    ],
  },
  'recoveryCodes.codes/shown': {
    shown,
    copied: (words) => [...shown(words), recoveryCopyEnded('copied')],
    'copying refused': (words) => [...shown(words), recoveryCopyEnded('refused')],
  },
} as const satisfies Readonly<Record<string, Variants>>;
