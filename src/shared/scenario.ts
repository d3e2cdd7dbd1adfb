import type { Reducer, UnknownAction } from '@reduxjs/toolkit';
import type { Trouble } from './api/apiError';
import type { UserAttributes } from './api/decoders';
import type { VaultContents } from './ports/vault';

/* What the scenarios of a feature are written with (docs/development.md#laboratory). */

/** Every text of a scenario that is not ours: it comes from the user or from the service. */
export interface GivenWords {
  readonly username: string;
  readonly firstName: string;
  readonly serverMessage: string;
}

/** What happened up to the moment that is shown. The store's state is what the real reducers make of it. */
export type Scenario = (words: GivenWords) => readonly UnknownAction[];

/** The scenarios of one phase, by what tells them apart. */
export type Variants = Readonly<Record<string, Scenario>>;

/**
 * Every phase of a state, as 'path in the state/phase'. A slice that gets a phase changes this type, and its scenarios no longer
 * compile.
 */
export type PhaseName<State, Path extends string = ''> = [State] extends [
  { readonly phase: infer Phase extends string },
]
  ? `${Path}/${Phase}`
  : State extends readonly unknown[] | string | null
    ? never
    : {
        [Key in keyof State & string]: PhaseName<State[Key], Path extends '' ? Key : `${Path}.${Key}`>;
      }[keyof State & string];

/** The scenarios of a branch of the state: one for each phase, and others. */
export type ScenariosOf<Path extends string, State> = Readonly<Record<PhaseName<State, Path>, Variants>> &
  Readonly<Record<string, Variants>>;

/** What a feature gives the laboratory. */
export interface FeatureScenarios {
  /** Its late reducer. */
  readonly reducer?: Reducer;
  readonly scenarios: (tools: ScenarioTools) => Readonly<Record<string, Variants>>;
  /** What its screens show of the vault. */
  readonly secrets?: Partial<VaultContents>;
}

/** The events of other features. */
export interface ScenarioTools {
  /** The address changed to a path of the application, with its query. */
  readonly at: (address: string) => UnknownAction;
  /** A session of a user with a password, or with a provider's account. */
  readonly signedIn: (words: GivenWords, method?: 'basic' | 'other') => UnknownAction;
  /** The settings of a signed-in user. */
  readonly settings: (words: GivenWords, attributes?: Partial<UserAttributes>) => readonly UnknownAction[];
  /** Verify identity with a password, for a purpose. */
  readonly verifying: (purpose: string) => readonly UnknownAction[];
  /** Another form at `/two-auth` was chosen: that of a feature. */
  readonly codeKindSwitched: (feature: string) => UnknownAction;
  /** An error in its dialog. */
  readonly alerted: (
    notice: { readonly id: string; readonly title: string; readonly confirmLabel: string },
    message: string,
    trouble?: Trouble,
  ) => UnknownAction;
  /** The service refused a new password. */
  readonly passwordRefused: (message: string) => readonly UnknownAction[];
  /** Those of a scenario of the application. */
  readonly like: (name: string, words: GivenWords) => readonly UnknownAction[];
}
