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
import type { Failure } from '@features/ui-dialogs';
import type { LoginMethodName, TokenAnswer, TokenPair } from '@shared/api/decoders';
import type { Deps } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeTokenError } from '../auth.errors';
import { authMessages } from '../auth.messages';
import { refusalMessages } from '../refusals.messages';
import { challengeIssued } from '../challenge/challenge.slice';
import { noteProvider } from '../provider/knownProvider';
import { redirectSignedIn } from './enterLogin.saga';
import { signInFailed } from './signIn.slice';

/** The ports that a sign-in uses. */
export type SignInDeps = Pick<
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

/** Who signs in and how. A challenge sends a provider's code and verifier again. */
interface SignInAttempt {
  readonly username: string;
  /** Absent at a challenge: the first step of this sign-in has dealt with it. */
  readonly rememberMe?: boolean;
  readonly method: LoginMethodName;
  readonly code?: string;
  readonly codeVerifier?: string;
}

/** Result of a token answer. */
type SignInOutcome =
  /** The session has started; the caller redirects. */
  | { readonly kind: 'signedIn'; readonly claims: Claims }
  /** Set-up mode or a challenge; its screen is open. */
  | { readonly kind: 'furtherStep' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** Ends an attempt of `/login` with its token answer. See docs/behaviour.md#token-answer. */
export function* handleTokenAnswer(
  deps: SignInDeps,
  answer: TokenAnswer,
  tried: SignInAttempt,
): SagaGenerator<void> {
  const outcome = yield* call(acceptTokenAnswer, deps, answer, tried);
  if (outcome.kind === 'failed') yield* put(signInFailed(outcome.failure));
  if (outcome.kind === 'signedIn') yield* call(redirectSignedIn, deps, outcome.claims);
}

/** What a token answer asks for. */
export type TokenDecision =
  | { readonly kind: 'setup'; readonly mfaToken: string }
  | {
      readonly kind: 'challenge';
      readonly authVerificationToken: string;
      readonly mfaType: 'authy' | 'mfa';
      readonly authyId: string | null;
      readonly uid: string | null;
    }
  /** A challenge without what it needs: 'Authentication error. Please try again.' */
  | { readonly kind: 'challengeBroken' }
  | { readonly kind: 'session'; readonly tokens: TokenPair }
  /** Neither tokens nor a further step: counts as a failed call. */
  | { readonly kind: 'empty' };

/** Reads a token answer in the order of docs/behaviour.md#token-answer: set-up mode, challenge, session. */
export function decideTokenAnswer(answer: TokenAnswer): TokenDecision {
  if (answer.mfaJWT) return { kind: 'setup', mfaToken: answer.mfaJWT };
  if (answer.mfaRequired) {
    const { authVerificationToken, mfaType, authyId = null, uid = null } = answer;
    if (!authVerificationToken || !mfaType) return { kind: 'challengeBroken' };
    return { kind: 'challenge', authVerificationToken, mfaType, authyId, uid };
  }
  const { token, refresh } = answer;
  return token && refresh ? { kind: 'session', tokens: { token, refresh } } : { kind: 'empty' };
}

/** Carries the decision out, up to the redirect; at `/login` and at the challenge. */
export function* acceptTokenAnswer(
  deps: SignInDeps,
  answer: TokenAnswer,
  tried: SignInAttempt,
): SagaGenerator<SignInOutcome> {
  const decision = decideTokenAnswer(answer);
  switch (decision.kind) {
    case 'setup':
      return yield* call(enterSetupMode, deps, decision.mfaToken, tried);
    case 'challenge':
      return yield* call(openChallenge, deps, decision, tried);
    case 'challengeBroken':
      return failed({ message: refusalMessages.challengeBroken });
    case 'session':
      return yield* call(enterSession, deps, decision.tokens, tried);
    case 'empty':
      return failed(describeTokenError(null, tried.method));
  }
}

const failed = (failure: Failure): SignInOutcome => ({ kind: 'failed', failure });

function* enterSetupMode(
  deps: SignInDeps,
  mfaToken: string,
  tried: SignInAttempt,
): SagaGenerator<SignInOutcome> {
  const claims = decodeClaims(mfaToken);
  if (!claims) return failed(describeTokenError(null, tried.method));
  // Read before writing: to remove a blocking copy, the host expires every session cookie. See
  // docs/behaviour.md#blocked-cookies.
  const replaced = heldTokens(deps, mfaToken);
  const kept = yield* call(keepCookies, deps, ['setup'], () => writeSetup(deps, mfaToken));
  if (kept !== 'kept') return failed(describeRefusedStart(deps, `${kept}Cookie`, tried.method));
  yield* call(setTokenClock, deps, claims);
  remember(deps, tried);
  // A session of another user would win over set-up mode wherever both cookies exist.
  yield* call(clearSession, deps);
  yield* call(revoke, deps, [...replaced, ...takeMagicLinks(deps, claims.uid)]);
  yield* call(deps.parentFrame.tell, 'removed_tokens');
  yield* put(setupStarted(claims));
  yield* call(deps.navigation.replace, paths.accountSettings());
  return { kind: 'furtherStep' };
}

function* openChallenge(
  deps: SignInDeps,
  { authVerificationToken, mfaType, authyId, uid }: Extract<TokenDecision, { kind: 'challenge' }>,
  tried: SignInAttempt,
): SagaGenerator<SignInOutcome> {
  const { username, method, code, codeVerifier } = tried;
  remember(deps, tried);
  yield* call(deps.vault.put<'challenge'>, 'challenge', {
    authVerificationToken,
    ...(code === undefined ? {} : { code }),
    ...(codeVerifier === undefined ? {} : { codeVerifier }),
  });
  yield* put(challengeIssued({ username, method, mfaType, authyId, uid }));
  // The masked query is kept, for the address to return to after the challenge.
  const { search } = yield* select(selectLocation);
  yield* call(deps.navigation.push, paths.twoAuth(search));
  return { kind: 'furtherStep' };
}

function* enterSession(
  deps: SignInDeps,
  tokens: TokenPair,
  tried: SignInAttempt,
): SagaGenerator<SignInOutcome> {
  const start = yield* call(startSession, deps, tokens);
  if (start.kind !== 'started') return failed(describeRefusedStart(deps, start.kind, tried.method));
  remember(deps, tried);
  noteProvider(deps, start.claims, tried.method);
  return { kind: 'signedIn', claims: start.claims };
}

/** Called before the redirect, which cancels this saga. See docs/behaviour.md#remembered-username. */
function remember(deps: SignInDeps, { rememberMe, username }: SignInAttempt): void {
  if (rememberMe !== undefined) rememberUsername(deps, rememberMe ? username : null);
}

function describeRefusedStart(
  { config, log }: SignInDeps,
  kind: Exclude<SessionStart['kind'], 'started'>,
  method: LoginMethodName,
): Failure {
  switch (kind) {
    case 'noPersonas':
      log.error('sign-in refused', new Error(authMessages.errors.noPersonas));
      return { message: authMessages.errors.noPersonas };
    case 'refusedCookie':
      log.warn('session cookie refused by the browser');
      return { message: authMessages.errors.fallback };
    case 'blockedCookie':
      log.warn('session cookie blocked by a copy that scripts cannot remove');
      return {
        message: refusalMessages.cookieBlocked(config.cookies.domain ?? new URL(config.signOnUrl).hostname),
      };
    case 'undecodable':
      return describeTokenError(null, method);
  }
}
