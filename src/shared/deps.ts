import type { Reducer, UnknownAction } from '@reduxjs/toolkit';
import type { AppConfig } from '@vestibule/contract/appConfig';
import type { ComponentType } from 'react';
import type { Params } from 'react-router-dom';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Api, FeatureCalls } from './api/api';
import type { ApiError } from './api/apiError';
import type { TokenResponse } from './api/decoders';
import type { Chunk } from './chunk';
import type { Ports } from './ports/ports';
import type { FeatureScenarios } from './scenario';
import type { HeldToken, SecondStepWay, SignedIn, WayButtonProps, WayUser } from './slots';

/** What `rootSaga(deps)` hands to every saga. */
export interface Deps extends Ports {
  readonly api: Api;
  readonly config: AppConfig;
  /** Those in use: an extension only where the configuration lists it. */
  readonly features: readonly Feature[];
}

/**
 * What a feature adds to the application; `app/features.ts` lists them. Who offers a slot knows no names. A part that is missing,
 * because its chunk could not be loaded, is left out as without the feature.
 */
export interface Feature {
  /** Of its branch of the state, and of the extension in the configuration. */
  readonly name: string;
  /** Its screens, by the names of their routes. */
  readonly routes?: Readonly<Record<string, Route>>;
  /** State that `/login` needs. */
  readonly reducer?: Reducer;
  /** Its state and its work behind `/login`. */
  readonly late?: Chunk<LatePart>;
  /** Its calls, by their group in `Api`. */
  readonly calls?: FeatureCalls;

  /** Settings: a section, not in setup mode. */
  readonly Section?: ComponentType;
  /** Settings: a part of the section of two-step verification while that is on, not in setup mode. */
  readonly SecondStepPart?: ComponentType;

  /** Session: as long as a session lasts; not in setup mode. */
  readonly whileSignedIn?: (deps: Deps, uid: string) => SagaGenerator<void>;
  /** Session: when a session was ended in this browser. */
  readonly endAtService?: (deps: Deps, token: HeldToken) => void;

  /** Auth: above the username field of `/login`. */
  readonly LoginNotice?: ComponentType;
  /** Auth: another way to sign in, to pass the second step and to verify identity. */
  readonly way?: Way;
  /** Auth: in place of a code at `/two-auth`. */
  readonly secondStep?: SecondStepWay;
  /** Auth: after a sign-in, before the page leaves. */
  readonly afterSignIn?: (deps: Deps, signedIn: SignedIn) => SagaGenerator<void>;
  /** Auth: what identity is verified for, by the last segment of `/ask-password/{authystatus}`. */
  readonly purposes?: Readonly<Record<string, () => Promise<Purpose | undefined>>>;

  /** Mfa: the event that tells it of a change of factors. `route`: the screen that shows the change. */
  readonly afterFactorChange?: (route: string) => Promise<UnknownAction | undefined>;
  /** Mfa: on the screens that show a change of factors. */
  readonly FactorNotice?: ComponentType;

  /** Password: why the service refused a new password, by its `error.code`. */
  readonly passwordRefusals?: Readonly<Record<string, string>>;

  /** Laboratory: its scenarios; not in a production build. */
  readonly scenarios?: FeatureScenarios;
}

/** What a feature loads with the first screen behind `/login`. */
export interface LatePart {
  readonly reducer?: Reducer;
  /** Runs as long as the page, also in setup mode. */
  readonly saga?: (deps: Deps) => SagaGenerator<void>;
}

/** Another way to sign in, to pass the second step and to verify identity. */
export interface Way {
  /** At each of the three. */
  readonly Button: ComponentType<WayButtonProps>;
  readonly work: Chunk<Partial<WayWork>>;
  /** The browser lists it in the username field, by this token of `autocomplete`. */
  readonly autoComplete?: string;
}

interface WayWork {
  /** Signs in by the button. */
  readonly signIn: (deps: Deps, user: WayUser, finish: FinishSignIn) => SagaGenerator<void>;
  /** While the username step is shown: offers what the browser lists in its field. */
  readonly offerInField: (
    deps: Deps,
    isStepShown: () => SagaGenerator<boolean>,
    finish: FinishSignIn,
  ) => SagaGenerator<void>;
  /** @returns the verification token, or `null` after an attempt that was cancelled or refused */
  readonly verify: (deps: Deps, readToken: () => string) => SagaGenerator<string | null>;
}

/** Takes the next step after a token response. @returns `false`: it signs nobody in */
export type FinishSignIn = (deps: Deps, response: TokenResponse, user: WayUser) => SagaGenerator<boolean>;

/** What identity is verified for. */
export interface Purpose {
  /** Whether the user has asked for it: the address alone must change nothing. */
  readonly isAskedFor: (deps: Deps) => SagaGenerator<boolean>;
  /** Where the address alone leads; absent: to the settings. */
  readonly otherwise?: string;
  /** What follows. @returns why the service refused it; `null`: it did not */
  readonly proved: (deps: Deps) => SagaGenerator<ApiError | null>;
}

/** Who may enter a screen: all, only a session, or also a setup-mode session (docs/behaviour.md#access). */
export type RouteAccess = 'public' | 'session' | 'setup';

/** A screen whose module is part of the first bundle, or the chunk that it is fetched in. */
export type Route = RouteRow & ({ readonly screen: ScreenModule } | { readonly chunk: Chunk<ScreenModule> });

interface RouteRow {
  /** Segments; `:name` takes any. A trailing slash makes no difference, unless the route is exact. */
  readonly pattern: string;
  /** The route's headers are given to this one spelling. */
  readonly exact?: true;
  readonly access: RouteAccess;
  /** The last segment is the id of a one-time link: a secret, which the store holds masked. */
  readonly isLink?: true;
  /** The screen shows what `accountChanged` reports. */
  readonly showsAccount?: true;
}

/** What a route leads to: a screen and its saga. */
export interface ScreenModule {
  /** The view, drawn from the store. It has `load` if it is in a chunk of its own. */
  readonly Screen: ComponentType & { readonly load?: () => Promise<unknown> };
  /** Everything that the screen starts; cancelled when the visit ends. */
  readonly saga?: (deps: Deps, visit: Visit) => SagaGenerator<void>;
}

/** A stay at an address: from entering it until another route, or another parameter of this one, is entered. */
export interface Visit {
  /** Of the pattern: as the address has them, percent-encoded except for slashes; a link's id is not masked. */
  readonly params: Params;
}
