import { readSession, type Claims } from '@features/session';
import type { Deps } from '@shared/deps';
import { paths } from '@shared/routing/paths';
import { attempt } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call.saga';
import { isAnyOf, type Action } from '@reduxjs/toolkit';
import type { Task } from 'redux-saga';
import { cancel, fork, put, take, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { loginHintOf } from '../provider/loginHint';
import { providerCode } from '../provider/providerCode.saga';
import type { ProviderDeps } from '../provider/providerFlow';
import type { ProviderOffer } from '../provider/providerSignIn.saga';
import {
  identityCodeReceived,
  identityPasswordSubmitted,
  identityProviderAbandoned,
  identityProviderBlocked,
  identityProviderEnded,
  identityProviderKnown,
  identityProviderMaybeClosed,
  identityProviderRequested,
  identityRefused,
  verificationStarted,
  verifyIdentityEntered,
  verifyIdentityLeft,
  type VerificationPurpose,
} from './verification.slice';
import { verificationLifeMs } from './verificationPeriod.saga';
import { tellVerifyError } from './tellVerifyError.saga';
import { describeVerifyError } from './verifyIdentity.errors';

type VerifyDeps = ProviderDeps & Pick<Deps, 'api' | 'cookies' | 'vault'>;

/** What proves who somebody is: their password, or a provider's fresh code. */
type Evidence = { readonly password: string } | { readonly code: string; readonly codeVerifier?: string };

/**
 * The verify-identity screen (specification §2, §4 MFA setup): asks for the password, or has the provider ask again,
 * and opens the 180 s in which the answer counts. Runs until the screen is left.
 */
export function* verifyIdentity(deps: VerifyDeps, purpose: VerificationPurpose): SagaGenerator<void> {
  const stored = readSession(deps);
  // Whoever has no session is on the way to /login already.
  if (stored.kind !== 'present') return;
  yield* takeLatest([identityRefused, identityProviderRequested, identityCodeReceived], tellRefusal);
  const hasPassword = stored.claims.method === 'basic';
  yield* put(verifyIdentityEntered(hasPassword ? 'password' : 'provider'));
  try {
    if (hasPassword) yield* call(askForPassword, deps, purpose);
    else yield* call(askProvider, deps, purpose, stored.claims);
  } finally {
    yield* put(verifyIdentityLeft());
  }
}

/** The way to a new password, for those who have one (decisions §9). */
export function* verifyForPassword(deps: VerifyDeps): SagaGenerator<void> {
  const stored = readSession(deps);
  if (stored.kind === 'present' && stored.claims.method !== 'basic')
    yield* call(deps.navigation.replace, paths.accountSettings());
  else yield* call(verifyIdentity, deps, 'changePassword');
}

/** Beside the attempt: a new one, or a code that comes after all, closes the dialog of the last. */
function* tellRefusal(action: Action): SagaGenerator<void> {
  if (!identityRefused.match(action)) return;
  yield* call(tellVerifyError, action.payload);
}

function* askForPassword(deps: VerifyDeps, purpose: VerificationPurpose): SagaGenerator<never> {
  for (;;) {
    const { meta } = yield* take(identityPasswordSubmitted);
    yield* call(prove, deps, purpose, { password: meta.secret });
  }
}

function* askProvider(
  deps: VerifyDeps,
  purpose: VerificationPurpose,
  { username, email }: Pick<Claims, 'username' | 'email'>,
): SagaGenerator<never> {
  const loginHint = loginHintOf(email) ?? loginHintOf(username);
  let offer = yield* call(findOffer, deps, username);
  let running: Task | null = null;
  const turn = isAnyOf(identityProviderRequested, identityProviderAbandoned);
  for (;;) {
    const action = yield* take(turn);
    if (running) yield* cancel(running);
    running = null;
    if (!identityProviderRequested.match(action)) continue;
    // The window has to open in the turn of the click, so nothing may be awaited before.
    if (offer) running = yield* fork(proveByProvider, deps, purpose, { offer, loginHint });
    else offer = yield* call(findOffer, deps, username);
  }
}

/** By which provider the account signs in: the token says only that it is another way than the password. */
function* findOffer({ api }: VerifyDeps, username: string): SagaGenerator<ProviderOffer | null> {
  const answer = yield* attempt(api.auth.methods, username);
  const offers = answer.ok ? answer.value : [];
  const offer = offers.find((one): one is ProviderOffer => one.method !== 'basic') ?? null;
  yield* put(identityProviderKnown(offer?.method ?? null));
  if (!offer) yield* put(identityRefused(authMessages.errors.noMethods));
  return offer;
}

const events = {
  blocked: identityProviderBlocked,
  maybeClosed: identityProviderMaybeClosed,
  failed: identityRefused,
};

function* proveByProvider(
  deps: VerifyDeps,
  purpose: VerificationPurpose,
  request: { readonly offer: ProviderOffer; readonly loginHint: string | null },
): SagaGenerator<void> {
  const received = yield* call(providerCode, deps, { ...request, forced: true }, events);
  if (!received) {
    yield* put(identityProviderEnded());
    return;
  }
  yield* put(identityCodeReceived());
  const { method: _told, ...evidence } = received;
  yield* call(prove, deps, purpose, evidence);
}

function* prove(deps: VerifyDeps, purpose: VerificationPurpose, evidence: Evidence): SagaGenerator<void> {
  // Asked again: the token may have been refreshed since the screen was entered.
  const stored = readSession(deps);
  if (stored.kind !== 'present') return;
  const answer = yield* attempt(deps.api.auth.validatePassword, stored.tokens.token, evidence);
  if (!answer.ok) {
    yield* put(identityRefused(describeVerifyError(answer.error, purpose)));
    return;
  }
  const { authVerificationToken } = answer.value;
  // Setting up needs the token alone; turning off and a new password need the password once more (decisions §15).
  const keepsPassword = 'password' in evidence && purpose !== 'enable';
  yield* call(deps.vault.put<'verification'>, 'verification', {
    authVerificationToken,
    ...(keepsPassword ? { password: evidence.password } : {}),
  });
  yield* put(verificationStarted({ purpose, expiresAt: deps.clock.now() + verificationLifeMs }));
}
