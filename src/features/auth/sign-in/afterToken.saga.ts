import {
  clearSession,
  decodeClaims,
  rememberUsername,
  setupStarted,
  startSession,
  writeSetup,
  type SessionStart,
} from '@features/session';
import type { LoginMethodName, TokenAnswer, TokenPair } from '@shared/api/api';
import type { Deps } from '@shared/deps';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeTokenError } from '../auth.errors';
import { authMessages } from '../auth.messages';
import { challengeIssued } from '../challenge/challenge.slice';
import { afterTokenDecision, type AfterToken } from './afterTokenDecision';
import { completeSignIn } from './completeSignIn.saga';
import { signInFailed } from './signIn.slice';

/** What a sign-in needs of the outside. */
export type AfterTokenDeps = Pick<
  Deps,
  'api' | 'cookies' | 'config' | 'navigation' | 'parentFrame' | 'vault' | 'log'
>;

/** Who signed in and how; a provider's code and verifier go along to a second step. */
export interface SignInFacts {
  readonly username: string;
  readonly rememberMe: boolean;
  readonly method: LoginMethodName;
  readonly code?: string;
  readonly codeVerifier?: string;
}

/** Carries out what a token answer asks for (specification §4, login flow 4 to 6). */
export function* afterToken(
  deps: AfterTokenDeps,
  answer: TokenAnswer,
  facts: SignInFacts,
): SagaGenerator<void> {
  const decision = afterTokenDecision(answer);
  const failure = yield* call(carryOut, deps, decision, facts);
  if (failure !== null) yield* put(signInFailed(failure));
}

/** @returns the words of what went wrong, or `null` */
function* carryOut(
  deps: AfterTokenDeps,
  decision: AfterToken,
  facts: SignInFacts,
): SagaGenerator<string | null> {
  switch (decision.kind) {
    case 'setup':
      return yield* call(enterSetupMode, deps, decision.mfaToken, facts);
    case 'challenge':
      return yield* call(enterChallenge, deps, decision, facts);
    case 'challengeBroken':
      return authMessages.errors.challengeBroken;
    case 'session':
      return yield* call(enterSession, deps, decision.tokens, facts);
    case 'empty':
      return describeTokenError(null, facts.method);
  }
}

function* enterSetupMode(
  deps: AfterTokenDeps,
  mfaToken: string,
  facts: SignInFacts,
): SagaGenerator<string | null> {
  const claims = decodeClaims(mfaToken);
  if (!claims) return describeTokenError(null, facts.method);
  if (!writeSetup(deps, mfaToken)) return authMessages.errors.fallback;
  remember(deps, facts);
  // Another person's session would otherwise answer for this one: it is asked first wherever both may be there.
  yield* call(clearSession, deps);
  yield* put(setupStarted(claims));
  yield* call(deps.navigation.replace, paths.accountSettings());
  return null;
}

function* enterChallenge(
  deps: AfterTokenDeps,
  { authVerificationToken, mfaType, authyId, uid }: Extract<AfterToken, { kind: 'challenge' }>,
  facts: SignInFacts,
): SagaGenerator<string | null> {
  const { username, method, code, codeVerifier } = facts;
  remember(deps, facts);
  yield* call(deps.vault.put<'challenge'>, 'challenge', {
    authVerificationToken,
    ...(code === undefined ? {} : { code }),
    ...(codeVerifier === undefined ? {} : { codeVerifier }),
  });
  yield* put(challengeIssued({ username, method, mfaType, authyId, uid }));
  // The query goes along: the address to return to must survive the second step.
  yield* call(deps.navigation.push, paths.twoAuth(deps.navigation.current().search));
  return null;
}

function* enterSession(
  deps: AfterTokenDeps,
  tokens: TokenPair,
  facts: SignInFacts,
): SagaGenerator<string | null> {
  const start = yield* call(startSession, deps, tokens);
  if (start.kind !== 'started') return describeRefusedStart(deps, start.kind, facts.method);
  remember(deps, facts);
  yield* call(completeSignIn, deps, start.claims);
  return null;
}

/** Only a name that signed in is remembered; a mistyped one is not. Before leaving: the route's work ends with it. */
function remember(deps: AfterTokenDeps, { rememberMe, username }: SignInFacts): void {
  rememberUsername(deps, rememberMe ? username : null);
}

function describeRefusedStart(
  { log }: AfterTokenDeps,
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
    case 'undecodable':
      return describeTokenError(null, method);
  }
}
