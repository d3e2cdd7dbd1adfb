import type { MessageDescriptor } from '@lingui/core';
import { dialogOpened } from '@features/ui-dialogs';
import { sessionMessages } from '@features/session';
import type { FeatureScenarios, GivenWords, ScenariosOf, ScenarioTools } from '@shared/scenario';
import { wayEnded, wayRequested } from '@shared/slots';
import { passkeyMessages } from './passkeys.messages';
import {
  nameSubmitted,
  passkeysFailed,
  passkeysLoaded,
  passkeysReducer,
  passkeysRequested,
  pendingChangeStarted,
  proofNeeded,
  renamingToggled,
  taskEnded,
  type Passkey,
  type PasskeysState,
} from './passkeys.slice';

const entry: Passkey = {
  credentialId: 'phone',
  name: 'Safari on iPhone',
  createdAt: '2026-10-02T09:30:00Z',
  lastUsedAt: '2026-11-24T16:05:00Z',
  isSynced: true,
};
const removing = { kind: 'remove', credentialId: entry.credentialId } as const;
const requested = wayRequested('passkeys');

function scenarios(tools: ScenarioTools): ScenariosOf<'passkeys', PasskeysState> {
  const { alerted, at, like, signedIn, verifying } = tools;
  const settings = (words: GivenWords) => [
    ...tools.settings(words, { isAppActive: true }),
    passkeysRequested(),
  ];
  const loaded = (words: GivenWords) => [
    ...settings(words),
    passkeysLoaded([
      entry,
      { ...entry, credentialId: 'named', name: words.firstName.repeat(3).slice(0, 100), lastUsedAt: null },
    ]),
  ];
  const proving = (words: GivenWords) => [
    ...loaded(words),
    proofNeeded({ kind: 'add' }),
    ...verifying('add-passkey'),
  ];
  const { failed, unknown } = passkeyMessages;
  const error = (message: MessageDescriptor) => () => [alerted(passkeyMessages.error, message)];
  return {
    'auth.signIn/submitting': {
      passkey: (words) => [...like('auth.signIn/choosing/every method', words), requested],
    },
    'auth.challenge/otherWay': {
      passkey: (words) => [...like('auth.challenge/entering/authenticator app', words), requested],
    },
    'auth.verification.screen/otherWay': { passkey: (words) => [...proving(words), requested] },
    'passkeys.list/absent': {
      'before the call': (words) => [signedIn(words), at('/account-settings')],
    },
    'passkeys.list/loading': { slow: settings },
    'passkeys.list/failed': { failed: (words) => [...settings(words), passkeysFailed()] },
    'passkeys.list/loaded': {
      several: loaded,
      none: (words) => [...settings(words), passkeysLoaded([])],
    },
    'passkeys.task/none': {
      'sign-in cancelled': (words) => [
        ...like('auth.signIn/choosing/password', words),
        requested,
        wayEnded(),
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
    'passkeys.task/verifying': { 'to add': proving },
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
    'dialogs/passkeyError': {
      signIn: error(failed.signIn),
      add: error(failed.add),
      verify: error(failed.verify),
      unknown: error(unknown),
      fallback: () => [alerted(passkeyMessages.error, sessionMessages.fallback, 'unreachable')],
    },
  };
}

/** Scenarios of passkeys, at sign-in and on the account settings. */
export const passkeysScenarios: FeatureScenarios = { reducer: passkeysReducer, scenarios };
