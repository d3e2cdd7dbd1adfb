import {
  clearSession,
  decodeClaims,
  heldTokens,
  keepCookies,
  rememberUsername,
  revoke,
  setTokenClock,
  setupStarted,
  startSession,
  takeMagicLinks,
  writeSetup,
  type Claims,
  type SessionStart,
} from '@features/session';
import type { LoginMethodName, TokenAnswer, TokenPair } from '@shared/api/api';
import type { Deps } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call.saga';
import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeTokenError } from '../auth.errors';
import { authMessages } from '../auth.messages';
import { challengeIssued } from '../challenge/challenge.slice';
import { afterTokenDecision, type AfterToken } from './afterTokenDecision';

/** What a sign-in needs of the outside. */
export type AfterTokenDeps = Pick<
  Deps,
  | 'api'
  | 'clock'
  | 'config'
  | 'cookies'
  | 'expireSessionCookies'
  | 'log'
  | 'navigation'
  | 'notes'
  | 'parentFrame'
  | 'vault'
>;

/** Who signed in and how; a provider's code and verifier go along to a second step. */
export interface SignInFacts {
  readonly username: string;
  /** Absent: settled by the first step of this sign-in. */
  readonly rememberMe?: boolean;
  readonly method: LoginMethodName;
  readonly code?: string;
  readonly codeVerifier?: string;
}

/** What came of a token answer. */
export type SignInOutcome =
  /** The session is there; where it leads is the caller's to carry out. */
  | { readonly kind: 'signedIn'; readonly claims: Claims }
  /** Another step follows, and its screen has been gone to. */
  | { readonly kind: 'furtherStep' }
  | { readonly kind: 'failed'; readonly message: string };

/** Carries out what a token answer asks for (specification §4, login flow 4 and 5). */
export function* afterToken(
  deps: AfterTokenDeps,
  answer: TokenAnswer,
  facts: SignInFacts,
): SagaGenerator<SignInOutcome> {
  const decision = afterTokenDecision(answer);
  switch (decision.kind) {
    case 'setup':
      return yield* call(enterSetupMode, deps, decision.mfaToken, facts);
    case 'challenge':
      return yield* call(enterChallenge, deps, decision, facts);
    case 'challengeBroken':
      return failed(authMessages.errors.challengeBroken);
    case 'session':
      return yield* call(enterSession, deps, decision.tokens, facts);
    case 'empty':
      return failed(describeTokenError(null, facts.method));
  }
}

const failed = (message: string): SignInOutcome => ({ kind: 'failed', message });

function* enterSetupMode(
  deps: AfterTokenDeps,
  mfaToken: string,
  facts: SignInFacts,
): SagaGenerator<SignInOutcome> {
  const claims = decodeClaims(mfaToken);
  if (!claims) return failed(describeTokenError(null, facts.method));
  // Read first: where a copy stands in the way, the host expires every cookie of the session.
  const replaced = heldTokens(deps, mfaToken);
  const kept = yield* call(keepCookies, deps, ['setup'], () => writeSetup(deps, mfaToken));
  if (kept !== 'kept') return failed(describeRefusedStart(deps, `${kept}Cookie`, facts.method));
  yield* call(setTokenClock, deps, claims);
  remember(deps, facts);
  // Another person's session would otherwise answer for this one: it is asked first wherever both may be there.
  yield* call(clearSession, deps);
  yield* call(revoke, deps, [...replaced, ...takeMagicLinks(deps, claims.uid)]);
  yield* call(deps.parentFrame.tell, 'removed_tokens');
  yield* put(setupStarted(claims));
  yield* call(deps.navigation.replace, paths.accountSettings());
  return { kind: 'furtherStep' };
}

function* enterChallenge(
  deps: AfterTokenDeps,
  { authVerificationToken, mfaType, authyId, uid }: Extract<AfterToken, { kind: 'challenge' }>,
  facts: SignInFacts,
): SagaGenerator<SignInOutcome> {
  const { username, method, code, codeVerifier } = facts;
  remember(deps, facts);
  yield* call(deps.vault.put<'challenge'>, 'challenge', {
    authVerificationToken,
    ...(code === undefined ? {} : { code }),
    ...(codeVerifier === undefined ? {} : { codeVerifier }),
  });
  yield* put(challengeIssued({ username, method, mfaType, authyId, uid }));
  // The query goes along, masked: the address to return to must survive the second step. A code in it does not.
  const { search } = yield* select(selectLocation);
  yield* call(deps.navigation.push, paths.twoAuth(search));
  return { kind: 'furtherStep' };
}

function* enterSession(
  deps: AfterTokenDeps,
  tokens: TokenPair,
  facts: SignInFacts,
): SagaGenerator<SignInOutcome> {
  const start = yield* call(startSession, deps, tokens);
  if (start.kind !== 'started') return failed(describeRefusedStart(deps, start.kind, facts.method));
  remember(deps, facts);
  return { kind: 'signedIn', claims: start.claims };
}

/** Only a name that signed in is remembered; a mistyped one is not. Before leaving: the route's work ends with it. */
function remember(deps: AfterTokenDeps, { rememberMe, username }: SignInFacts): void {
  if (rememberMe !== undefined) rememberUsername(deps, rememberMe ? username : null);
}

function describeRefusedStart(
  { config, log }: AfterTokenDeps,
  kind: Exclude<SessionStart['kind'], 'started'>,
  method: LoginMethodName,
): string {
  switch (kind) {
    case 'noPersonas':
      log.error('sign-in refused', new Error(authMessages.errors.noPersonas));
      return authMessages.errors.noPersonas;
    case 'refusedCookie':
      log.warn('session cookie refused by the browser');
      return authMessages.errors.fallback;
    case 'blockedCookie':
      log.warn('session cookie blocked by a copy that scripts cannot remove');
      return authMessages.errors.cookieBlocked(config.cookies.domain ?? new URL(config.signOnUrl).hostname);
    case 'undecodable':
      return describeTokenError(null, method);
  }
}
