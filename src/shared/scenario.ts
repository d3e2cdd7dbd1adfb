import type { MessageDescriptor } from '@lingui/core';
import type { Text } from './texts';
import type { Reducer, UnknownAction } from '@reduxjs/toolkit';
import type { Trouble } from './api/apiError';
import type { UserAttributes } from './api/decoders';
import type { VaultContents } from './ports/vault';

/** The types with which a feature writes its scenarios (docs/development.md#laboratory). */

/** The texts of a scenario that come from the user or from the service. */
export interface GivenWords {
  readonly username: string;
  readonly firstName: string;
  readonly serverMessage: string;
}

/** The actions up to the state that is shown. The real reducers make the state of them. */
export type Scenario = (words: GivenWords) => readonly UnknownAction[];

/** The scenarios of one phase, by variant. */
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

/** The scenarios of a feature and what they need. */
export interface FeatureScenarios {
  /** Its late reducer. */
  readonly reducer?: Reducer;
  readonly scenarios: (tools: ScenarioTools) => Readonly<Record<string, Variants>>;
  /** The secrets that its screens show. */
  readonly secrets?: Partial<VaultContents>;
}

/** Events of other features, which a scenario may contain. */
export interface ScenarioTools {
  /** The address changed to a path of the application, with its query. */
  readonly at: (address: string) => UnknownAction;
  /** A session of a user with a password, or with a provider's account. */
  readonly signedIn: (words: GivenWords, method?: 'basic' | 'other') => UnknownAction;
  /** The settings of a signed-in user. */
  readonly settings: (words: GivenWords, attributes?: Partial<UserAttributes>) => readonly UnknownAction[];
  /** Verify identity with a password, for a purpose. */
  readonly verifying: (purpose: string) => readonly UnknownAction[];
  /** The form of a feature was chosen at `/two-auth`. */
  readonly codeKindSwitched: (feature: string) => UnknownAction;
  /** An error in its dialog. */
  readonly alerted: (
    notice: { readonly id: string; readonly title: Text; readonly confirmLabel: MessageDescriptor },
    message: Text,
    trouble?: Trouble,
  ) => UnknownAction;
  /** The service refused a new password. */
  readonly passwordRefused: (message: Text) => readonly UnknownAction[];
  /** The actions of a scenario of the application. */
  readonly like: (name: string, words: GivenWords) => readonly UnknownAction[];
}
