import { passkeyAttemptEnded, passkeyChosen, passkeyRequested } from '@features/auth/passkeys/passkeyAttempt';
import { passkeyMessages } from '@features/auth/passkeys/passkeys.messages';
import {
  nameSubmitted,
  passkeysFailed,
  passkeysLoaded,
  passkeysRequested,
  proofNeeded,
  renamingToggled,
  taskEnded,
  pendingChangeStarted,
  type Passkey,
} from '@features/auth/passkeys/passkeys.slice';
import { verifyIdentityEntered } from '@features/auth/verify-identity/verification.slice';
import { dialogOpened } from '@features/ui-dialogs';
import type { UnknownAction } from '@reduxjs/toolkit';
import { paths } from '@vestibule/contract/paths';
import { accountScenarios } from './accountScenarios';
import { authScenarios } from './authScenarios';
import { at, signedIn, type GivenWords, type Variants } from './scenario';

const settings = (words: GivenWords): readonly UnknownAction[] => [
  ...accountScenarios['profile/loaded']['authenticator app'](words),
  passkeysRequested(),
];
const entry: Passkey = {
  credentialId: 'phone',
  name: 'Safari on iPhone',
  createdAt: '2026-10-02T09:30:00Z',
  lastUsedAt: '2026-11-24T16:05:00Z',
  isSynced: true,
};
const loaded = (words: GivenWords): readonly UnknownAction[] => [
  ...settings(words),
  passkeysLoaded([
    entry,
    { ...entry, credentialId: 'named', name: words.firstName.repeat(3).slice(0, 100), lastUsedAt: null },
  ]),
];
const removing = { kind: 'remove', credentialId: entry.credentialId } as const;
const verifying = (words: GivenWords): readonly UnknownAction[] => [
  ...loaded(words),
  proofNeeded({ kind: 'add' }),
  at(paths.askPassword('add-passkey')),
  verifyIdentityEntered('password'),
];

/** Scenarios of passkeys, at sign-in and on the account settings. */
export const passkeyScenarios = {
  'auth.signIn/checkingPasskey': {
    slow: () => [...authScenarios['auth.signIn/username'].empty(), passkeyChosen()],
  },
  'auth.challenge/askingPasskey': {
    'authenticator app': (words) => [
      ...authScenarios['auth.challenge/entering']['authenticator app'](words),
      passkeyRequested(),
    ],
  },
  'auth.verification.screen/askingPasskey': {
    password: (words) => [...verifying(words), passkeyRequested()],
  },
  'passkeys.list/absent': {
    'before the call': (words) => [signedIn(words), at(paths.accountSettings())],
  },
  'passkeys.list/loading': { slow: settings },
  'passkeys.list/failed': { failed: (words) => [...settings(words), passkeysFailed()] },
  'passkeys.list/loaded': {
    several: loaded,
    none: (words) => [...settings(words), passkeysLoaded([])],
  },
  'passkeys.task/none': {
    'sign-in cancelled': (words) => [
      ...authScenarios['auth.signIn/choosing'].password(words),
      passkeyRequested(),
      passkeyAttemptEnded(),
    ],
    added: (words) => [...loaded(words), proofNeeded({ kind: 'add' }), pendingChangeStarted(), taskEnded()],
  },
  'passkeys.task/renaming': { named: (words) => [...loaded(words), renamingToggled('named')] },
  'passkeys.task/saving': {
    slow: (words) => [
      ...loaded(words),
      renamingToggled('phone'),
      nameSubmitted({ credentialId: 'phone', name: words.firstName }),
    ],
  },
  'passkeys.task/verifying': { 'to add': verifying },
  'passkeys.task/adding': {
    slow: (words) => [...loaded(words), proofNeeded({ kind: 'add' }), pendingChangeStarted()],
  },
  'passkeys.task/removing': {
    slow: (words) => [...loaded(words), proofNeeded(removing), pendingChangeStarted()],
  },
  'dialogs/removePasskey': {
    question: (words) => [
      ...loaded(words),
      dialogOpened({ ...passkeyMessages.confirmRemoval, kind: 'confirm' }),
    ],
  },
} as const satisfies Readonly<Record<string, Variants>>;
