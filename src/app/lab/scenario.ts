import { maskLocation } from '@app/maskLocation';
import { flowsStarted } from '@app/flows/flows.slice';
import type { RootState } from '@app/rootReducer';
import { matchRoute } from '@app/routes';
import { pageOpened, sessionRestored, setupStarted, type Embedding } from '@features/session';
import { dialogOpened, type DialogState } from '@features/ui-dialogs';
import type { UnknownAction } from '@reduxjs/toolkit';
import { locationChanged } from '@shared/routing/location.slice';
import { claims } from './builders';

/** Every text of a scenario that is not ours: it comes from the user or from the service. */
export interface GivenWords {
  readonly username: string;
  readonly firstName: string;
  readonly serverMessage: string;
}

/** `long`: up to the limits, without a place to break. */
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

/** What happened up to the moment that is shown. The store's state is what the real reducers make of it. */
export type Scenario = (words: GivenWords) => readonly UnknownAction[];

/** The scenarios of one phase, by what tells them apart. */
export type Variants = Readonly<Record<string, Scenario>>;

/**
 * Every phase of every slice, as 'path in the state/phase'. A slice that gets a phase, or a new slice, changes this type,
 * and the table of scenarios no longer compiles.
 */
export type PhaseName<State = RootState, Path extends string = ''> = [State] extends [
  { readonly phase: infer Phase extends string },
]
  ? `${Path}/${Phase}`
  : State extends readonly unknown[] | string | null
    ? never
    : {
        [Key in keyof State & string]: PhaseName<State[Key], Path extends '' ? Key : `${Path}.${Key}`>;
      }[keyof State & string];

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
    route: matchRoute(masked.pathname)?.name ?? null,
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
  notice: { readonly id: string; readonly title: string; readonly confirmLabel: string },
  message: string,
  trouble?: DialogState['trouble'],
): UnknownAction => dialogOpened({ ...notice, message, ...(trouble && { trouble }), kind: 'alert' });
