import { maskLocation } from '@app/maskLocation';
import { flowsStarted } from '@app/flows/flows.slice';
import { findRoute } from '@app/routes';
import {
  newPasswordEntered,
  newPasswordRefused,
  newPasswordSubmitted,
} from '@features/password/save/newPassword.slice';
import { codeKindSwitched } from '@features/auth/challenge/challenge.slice';
import { verifyIdentityEntered } from '@features/auth/verify-identity/verification.slice';
import {
  pageOpened,
  profileLoaded,
  profileRequested,
  sessionRestored,
  setupStarted,
  type Embedding,
} from '@features/session';
import { dialogOpened, type DialogState } from '@features/ui-dialogs';
import type { UnknownAction } from '@reduxjs/toolkit';
import { locationChanged } from '@shared/routing/location.slice';
import type { UserAttributes } from '@shared/api/decoders';
import type { GivenWords, ScenarioTools } from '@shared/scenario';
import { paths } from '@vestibule/contract/paths';
import { claims, userAttributes } from './builders';

/** `long` has texts of the maximum length without a place to break. */
export const givenWords = {
  plain: {
    username: 'ada@example.com',
    firstName: 'Ada',
    serverMessage: 'Your account is locked. Please contact your administrator.',
  },
  long: {
    username: `ada.${'wilhelmina'.repeat(7)}@${'department.'.repeat(6)}example.com`,
    firstName: 'Adalgisa-Konstantinopolitanska'.repeat(2),
    serverMessage: `${'Rechtsschutzversicherungsgesellschaften'.repeat(4)} ${'and so on '.repeat(14)}`.trim(),
  },
} as const satisfies Record<string, GivenWords>;

/** How a page opens: who embeds it, and the query that decides its look. */
export const opened = (embedding: Embedding, search: string): readonly UnknownAction[] => [
  pageOpened({ embedding }),
  at(`/login${search}`),
  flowsStarted(),
];

/** The address changed to a path of the application, with its query. */
export function at(address: string): UnknownAction {
  const query = address.indexOf('?');
  const [pathname, search] = query < 0 ? [address, ''] : [address.slice(0, query), address.slice(query)];
  const masked = maskLocation({ pathname, search });
  return locationChanged({
    route: findRoute(masked.pathname)?.name ?? null,
    pathname: masked.pathname,
    search: masked.search,
    key: address,
  });
}

/** A session of a user with a password, or with a provider's account. */
export const signedIn = (
  { username, firstName }: GivenWords,
  method: 'basic' | 'other' = 'basic',
): UnknownAction => sessionRestored(claims({ username, email: username, firstName, method }));

/** A sign-in that has to set up two-step verification first. */
export const inSetupMode = ({ username, firstName }: GivenWords): UnknownAction =>
  setupStarted(claims({ username, email: username, firstName, isMfaSetup: true }));

/** An error in its dialog. */
export const alerted = (
  notice: Pick<DialogState, 'id' | 'title' | 'confirmLabel'>,
  message: DialogState['message'],
  trouble?: DialogState['trouble'],
): UnknownAction => dialogOpened({ ...notice, message, ...(trouble && { trouble }), kind: 'alert' });

/** The settings, while the account is being loaded. */
export const settingsOpened = (words: GivenWords): readonly UnknownAction[] => [
  signedIn(words),
  at(paths.accountSettings()),
  profileRequested(),
];

/** The settings of a signed-in user. */
export const settingsOf = (
  words: GivenWords,
  changes: Partial<UserAttributes> = {},
): readonly UnknownAction[] => [
  ...settingsOpened(words),
  profileLoaded(userAttributes({ email: words.username, ...changes })),
];

/** The tools with which features write their scenarios. */
export const tools: Omit<ScenarioTools, 'like'> = {
  at,
  alerted,
  codeKindSwitched,
  signedIn,
  settings: settingsOf,
  verifying: (purpose) => [at(paths.askPassword(purpose)), verifyIdentityEntered('password')],
  passwordRefused: (message) => [
    at(paths.resetPassword('id')),
    newPasswordEntered({ usable: true }),
    newPasswordSubmitted({ password: '', confirm: '' }),
    newPasswordRefused({ at: 'form', message }),
  ],
};
