import type { Action } from '@reduxjs/toolkit';
import type { LoginMethod } from '@shared/api/api';
import type { Deps } from '@shared/deps';
import type { AuthorizationRequest } from './authorizationUrl';

/** What a provider flow needs of the outside. */
export type ProviderDeps = Pick<
  Deps,
  | 'broadcast'
  | 'clock'
  | 'config'
  | 'log'
  | 'makeOauthSecrets'
  | 'navigation'
  | 'oauthStates'
  | 'pageLife'
  | 'popup'
>;

/** What the provider is asked for. */
export type ProviderRequest = AuthorizationRequest & {
  readonly offer: Exclude<LoginMethod, { method: 'basic' }>;
};

/** What the caller's screen is told meanwhile. */
export interface ProviderEvents {
  /** The browser let no window open. */
  readonly blocked: () => Action;
  /** The window reads as closed, which need not be true. */
  readonly maybeClosed: () => Action;
  /** With the words for the person; a code may still come after it. */
  readonly failed: (message: string) => Action;
}

/** An authorisation code, good for one exchange, with what its provider wants along. */
export type ProviderCode =
  | { readonly method: 'google'; readonly code: string }
  | { readonly method: 'microsoft'; readonly code: string; readonly codeVerifier: string };
