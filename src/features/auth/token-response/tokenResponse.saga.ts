import {
  clearSession,
  decodeClaims,
  dropOldMagicLinks,
  endAtService,
  keepReturn,
  storedTokens,
  writeVerifiedCookies,
  redirectUrlOf,
  rememberUsername,
  sessionMessages,
  setTokenClock,
  setupStarted,
  startSession,
  takeMagicLinks,
  writeSetup,
  writeTrustedToken,
  type SessionStart,
} from '@features/session';
import { showAlert, type Failure } from '@features/ui-dialogs';
import type { LoginMethodName, TokenResponse, TokenPair } from '@shared/api/decoders';
import type { Deps, FinishSignIn } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { wayEnded } from '@shared/slots';
import { put, select } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeTokenError } from '../auth.errors';
import { authMessages } from '../auth.messages';
import { storeProvider } from '../provider/knownProvider';
import { refusalMessages } from '../refusals.messages';
import { afterSignIn, leaveSignedIn } from './leaveSignedIn.saga';
import { challengeIssued, decideTokenResponse, type TokenDecision } from './tokenResponse';

/** The user and the method of a sign-in. A challenge sends the code and the verifier of a provider again. */
interface SignIn {
  readonly username: string;
  /** Absent at the second step, because the first step has handled it. */
  readonly rememberMe?: boolean;
  /** `null` for another way, which needs no second step. */
  readonly method: LoginMethodName | null;
  readonly code?: string;
  readonly codeVerifier?: string;
}

/**
 * Takes the next step after a token response, at `/login` and at the challenge: starts the session and leaves, or opens the
 * screen of the next step. See docs/behaviour.md#token-response.
 *
 * @returns the failure; `null` if the page leaves the screen, which cancels the caller
 */
export function* followTokenResponse(
  deps: Deps,
  response: TokenResponse,
  signIn: SignIn,
): SagaGenerator<Failure | null> {
  const decision = decideTokenResponse(response);
  switch (decision.kind) {
    case 'setup':
      return yield* call(enterSetupMode, deps, decision.mfaToken, signIn);
    case 'challenge':
      return yield* call(openChallenge, deps, decision, signIn);
    case 'challengeBroken':
      return { message: refusalMessages.challengeBroken };
    case 'challengeUntyped':
      // The vault has no challenge then, so `/two-auth` leads back to `/login`.
      return yield* call(goToTwoAuth, deps);
    case 'session':
      return yield* call(enterSession, deps, decision.tokens, response, signIn);
    case 'empty':
      return describeTokenError(null, signIn.method);
  }
}

function* enterSetupMode(deps: Deps, mfaToken: string, signIn: SignIn): SagaGenerator<Failure | null> {
  const claims = decodeClaims(mfaToken);
  if (!claims) return describeTokenError(null, signIn.method);
  // The replaced tokens are read before the cookies are written, because the host may expire every session cookie. See
  // docs/behaviour.md#blocked-cookies.
  const replaced = storedTokens(deps, mfaToken);
  const kept = yield* call(writeVerifiedCookies, deps, ['setup'], () => writeSetup(deps, mfaToken));
  if (kept !== 'kept') return describeRefusedStart(deps, `${kept}Cookie`, signIn.method);
  yield* call(setTokenClock, deps, claims);
  remember(deps, signIn);
  // A session cookie is removed, because a session takes precedence over setup mode.
  yield* call(clearSession, deps);
  yield* call(endAtService, deps, [...replaced, ...takeMagicLinks(deps, claims.uid)]);
  yield* call(dropOldMagicLinks, deps);
  yield* call(deps.parentFrame.notify, 'removed_tokens');
  yield* call(keepReturn, deps, redirectUrlOf(deps));
  yield* put(setupStarted(claims));
  yield* call(deps.navigation.replace, paths.accountSettings());
  return null;
}

function* openChallenge(
  deps: Deps,
  { authVerificationToken, secondStep, authyId, uid }: Extract<TokenDecision, { kind: 'challenge' }>,
  signIn: SignIn,
): SagaGenerator<Failure | null> {
  const { username, method, code, codeVerifier } = signIn;
  if (method === null) return { message: refusalMessages.challengeBroken };
  remember(deps, signIn);
  yield* call(deps.vault.put<'challenge'>, 'challenge', {
    authVerificationToken,
    ...(code === undefined ? {} : { code }),
    ...(codeVerifier === undefined ? {} : { codeVerifier }),
  });
  yield* put(challengeIssued({ username, method, secondStep, authyId, uid }));
  return yield* call(goToTwoAuth, deps);
}

function* goToTwoAuth(deps: Deps): SagaGenerator<null> {
  // The masked query is kept, because it contains the address to open after the challenge.
  const { search } = yield* select(selectLocation);
  yield* call(deps.navigation.push, paths.twoAuth(search));
  return null;
}

function* enterSession(
  deps: Deps,
  tokens: TokenPair,
  response: TokenResponse,
  signIn: SignIn,
): SagaGenerator<Failure | null> {
  const start = yield* call(startSession, deps, tokens);
  if (start.kind !== 'started') return describeRefusedStart(deps, start.kind, signIn.method);
  remember(deps, signIn);
  if (signIn.method !== null) storeProvider(deps, start.claims, signIn.method);
  if (signIn.rememberMe === undefined) keepTrust(deps, signIn.username, response.trustedToken);
  yield* call(afterSignIn, deps, { token: tokens.token, response });
  yield* call(leaveSignedIn, deps, start.claims);
  return null;
}

/** A trusted token that cannot be stored does not stop the sign-in. See docs/behaviour.md#trusted-devices. */
function keepTrust(deps: Deps, username: string, trustedToken: string | undefined): void {
  if (trustedToken === undefined || writeTrustedToken(deps, username, trustedToken)) return;
  deps.log.warn('trusted token not kept');
}

/** Called before the redirect, which cancels this saga. See docs/behaviour.md#remembered-username. */
function remember(deps: Deps, { rememberMe, username }: SignIn): void {
  if (rememberMe !== undefined) rememberUsername(deps, rememberMe ? username : null);
}

function describeRefusedStart(
  { config, log }: Deps,
  kind: Exclude<SessionStart['kind'], 'started'>,
  method: SignIn['method'],
): Failure {
  switch (kind) {
    case 'noPersonas':
      log.error('sign-in refused', new Error(authMessages.errors.noPersonas.message));
      return { message: authMessages.errors.noPersonas };
    case 'refusedCookie':
      log.warn('session cookie refused by the browser');
      return { message: sessionMessages.fallback };
    case 'blockedCookie':
      log.warn('session cookie blocked by a copy that scripts cannot remove');
      return {
        message: refusalMessages.cookieBlocked(config.cookies.domain ?? new URL(config.signOnUrl).hostname),
      };
    case 'undecodable':
      return describeTokenError(null, method);
  }
}

/**
 * Follows the token response of another way, which needs no second step. After a failure it returns when the dialog is
 * closed. After a success the page leaves the screen, which cancels the caller.
 */
export const finishSignIn: FinishSignIn = function* (deps, response, user) {
  const { kind } = decideTokenResponse(response);
  if (kind !== 'session' && kind !== 'setup') return false;
  const failure = yield* call(followTokenResponse, deps, response, { ...user, method: null });
  if (!failure) return true;
  yield* put(wayEnded());
  yield* call(showAlert, { ...authMessages.loginError, ...failure });
  return true;
};
