import type { MessageDescriptor } from '@lingui/core';
import type { Reducer, UnknownAction } from '@reduxjs/toolkit';
import type { AppConfig } from '@vestibule/contract/appConfig';
import type { ComponentType, ReactNode } from 'react';
import type { Params } from 'react-router-dom';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Api, FeatureCalls } from './api/api';
import type { ApiError } from './api/apiError';
import type { TokenResponse } from './api/decoders';
import type { Chunk } from './chunk';
import type { Ports } from './ports/ports';
import type { FeatureScenarios } from './scenario';
import type { StoredToken, SecondStepWay, SignedIn, WayButtonProps, WayUser } from './slots';

/** What every saga receives: the ports, the calls, and the features in use. */
export interface Deps extends Ports {
  /** Reports a crash to the collector of the deployment, if there is one. */
  readonly report: (where: string, error: unknown) => void;
  readonly api: Api;
  readonly config: AppConfig;
  /** The features in use. The configuration lists the extensions among them. */
  readonly features: readonly Feature[];
}

/**
 * What a feature adds to the application; `app/features.ts` lists them. The feature that offers a slot knows no names. A part
 * whose chunk could not be loaded is left out.
 */
export interface Feature {
  /** The name of its branch of the state, and of the extension in the configuration. */
  readonly name: string;
  /** Its screens, by the names of their routes. */
  readonly routes?: Readonly<Record<string, Route>>;
  /** The reducer of the state that `/login` needs. */
  readonly reducer?: Reducer;
  /** Whether the configuration enables it. Default: `extensions` lists its name. */
  readonly isConfigured?: (config: Pick<AppConfig, 'languages'>) => boolean;
  /** The part that is loaded before the first screen is drawn. */
  readonly early?: Chunk<EarlyPart>;
  /** The reducer and the saga that the screens behind `/login` need. */
  readonly late?: Chunk<LatePart>;
  /** Its calls, by their group in `Api`. */
  readonly calls?: FeatureCalls;
  /** Recordings keep the texts of fields of these names, in any feature: their type is a union of literals. */
  readonly literals?: readonly string[];
  /** Recordings remove the texts of fields of these names, in any feature, and from sentences too, however short they are. */
  readonly personal?: readonly string[];

  /** Settings: a section. Not shown in setup mode. */
  readonly Section?: ComponentType;
  /** Settings: a part of the section of two-step verification while that is on. Not shown in setup mode. */
  readonly SecondStepPart?: ComponentType;

  /** Session: runs while a session lasts, but not in setup mode. */
  readonly whileSignedIn?: (deps: Deps, uid: string) => SagaGenerator<void>;
  /** Session: called when a session has been ended in this browser. */
  readonly endAtService?: (deps: Deps, token: StoredToken) => void;

  /** Session: a folder of the service, as `/path/`, below which a redirect may lead (docs/behaviour.md#redirect-allowlist). */
  readonly redirectsBelow?: string;

  /** Auth: the parameter of the query of `/login` with the start value of the username field, where none is remembered. */
  readonly usernameParameter?: string;
  /** Auth: a notice above the username field of `/login`. */
  readonly LoginNotice?: ComponentType;
  /** Auth: another way to sign in, to pass the second step and to verify identity. */
  readonly way?: Way;
  /** Auth: a form that replaces the code boxes at `/two-auth`. */
  readonly secondStep?: SecondStepWay;
  /** Auth: runs after a sign-in, before the page leaves. */
  readonly afterSignIn?: (deps: Deps, signedIn: SignedIn) => SagaGenerator<void>;
  /** Auth: the purposes of verify identity, by the last segment of `/ask-password/{authystatus}`. */
  readonly purposes?: Readonly<Record<string, () => Promise<Purpose | undefined>>>;

  /** Mfa: makes the event to dispatch after a change of factors. `route` is the screen that shows the change. */
  readonly afterFactorChange?: (route: string) => Promise<UnknownAction | undefined>;
  /** Mfa: a notice on the screens that show a change of factors. */
  readonly FactorNotice?: ComponentType;

  /** Whether new passkeys should work in the browser's own window for payments, if the browser has one. */
  readonly signsPayments?: true;

  /** Sessions: a section of `/account-activity`. */
  readonly ActivityPart?: ComponentType;
  /** Sessions: runs while `/account-activity` is shown. */
  readonly whileActivityShown?: (deps: Deps) => SagaGenerator<void>;

  /** Sessions and Notices: the texts for its events. */
  readonly eventTexts?: Chunk<{
    readonly eventMessages?: EventTexts;
    /** What 'Recent activity' shows of them besides their names, by kind. */
    readonly eventDetails?: Readonly<Record<string, EventDetail>>;
  }>;

  /** Password: the texts for a refused new password, by `error.code`. */
  readonly passwordRefusals?: Chunk<Partial<Readonly<Record<string, MessageDescriptor>>>>;

  /** Laboratory: its scenarios. A production build does not contain them. */
  readonly scenarios?: FeatureScenarios;
}

/** The texts for events of an account. */
export interface EventTexts {
  /** Names in 'Recent activity', by kind. */
  readonly activity?: Readonly<Record<string, MessageDescriptor>>;
  /** Methods of a sign-in, such as 'with a passkey', by method. */
  readonly methods?: Readonly<Record<string, MessageDescriptor>>;
  /** Sentences on `/security-notice`, by kind. */
  readonly notices?: Readonly<Record<string, MessageDescriptor>>;
}

/** What a feature shows of an event that it has added fields to. Made by `eventDetail`. */
export interface EventDetail {
  /** Reads these fields of an event, for the state; `null` if they are missing or malformed. */
  readonly read: (event: object) => object | null;
  readonly Detail: ComponentType<{ readonly detail: object }>;
}

/** The part of a feature that is loaded with the first screen behind `/login`. */
export interface LatePart {
  readonly reducer?: Reducer;
  /** Runs until the page is left, also in setup mode. */
  readonly saga?: (deps: Deps) => SagaGenerator<void>;
}

/** The part of a feature that is loaded before the first screen is drawn. Its saga runs until the page is left. */
export interface EarlyPart extends LatePart {
  /** Called before the sagas start. The first screen waits for it. */
  readonly prepare?: (deps: Ports & Pick<Deps, 'config'>) => Promise<void>;
  /** The footer of every screen. */
  readonly Foot?: ComponentType;
  /** Shows the application in another language than English. */
  readonly Translated?: ComponentType<{ readonly children: ReactNode }>;
}

/** Another way to sign in, to pass the second step and to verify identity. */
export interface Way {
  /** The button at each of the three places. */
  readonly Button: ComponentType<WayButtonProps>;
  readonly work: Chunk<Partial<WayWork>>;
  /** The token of `autocomplete` with which the browser lists it in the username field. */
  readonly autoComplete?: string;
}

interface WayWork {
  /** Signs in after a press of the button. */
  readonly signIn: (deps: Deps, user: WayUser, finish: FinishSignIn) => SagaGenerator<void>;
  /** Runs while the username step is shown, and signs in by what the user chooses in the list of its field. */
  readonly offerInField: (
    deps: Deps,
    isStepShown: () => SagaGenerator<boolean>,
    finish: FinishSignIn,
  ) => SagaGenerator<void>;
  /** @returns the verification token, or `null` after an attempt that was cancelled or refused */
  readonly verify: (deps: Deps, readToken: () => string) => SagaGenerator<string | null>;
}

/** Takes the next step after a token response. @returns `false` if it signs nobody in */
export type FinishSignIn = (deps: Deps, response: TokenResponse, user: WayUser) => SagaGenerator<boolean>;

/** A purpose of verify identity. */
export interface Purpose {
  /** Whether the user has asked for it: the address alone must change nothing. */
  readonly isAskedFor: (deps: Deps) => SagaGenerator<boolean>;
  /** Where the user goes if it was not asked for; by default to the settings. */
  readonly otherwise?: string;
  /** Carries the purpose out. @returns the refusal of the service, or `null` */
  readonly proved: (deps: Deps) => SagaGenerator<ApiError | null>;
}

/** Who may enter a screen: anyone, a session, or also a setup-mode session (docs/behaviour.md#access). */
export type RouteAccess = 'public' | 'session' | 'setup';

/** A route with its screen, or with the chunk of its screen. */
export type Route = RouteRow & ({ readonly screen: ScreenModule } | { readonly chunk: Chunk<ScreenModule> });

interface RouteRow {
  /** The segments of the path; `:name` matches any text. A trailing slash makes no difference unless the route is exact. */
  readonly pattern: string;
  /** The route has this one spelling, because its headers depend on it. */
  readonly exact?: true;
  readonly access: RouteAccess;
  /** The last segment is the id of a one-time link: a secret, which the store holds masked. */
  readonly isLink?: true;
  /** `/login`, which is shown without a session, leads back to this address. */
  readonly returnsAfterLogin?: true;
  /** The screen shows what `accountChanged` reports. */
  readonly showsAccount?: true;
}

/** What a route leads to: a screen and its saga. */
export interface ScreenModule {
  /** The view, drawn from the store. It has `load` if it is in a chunk of its own. */
  readonly Screen: ComponentType & { readonly load?: () => Promise<unknown> };
  /** The saga of the screen. It is cancelled when the visit ends. */
  readonly saga?: (deps: Deps, visit: Visit) => SagaGenerator<void>;
}

/** A visit lasts until another route, or the same route with other parameters, is entered. */
export interface Visit {
  /** The parameters of the pattern, percent-encoded. The id of a link is not masked. */
  readonly params: Params;
}
