import { readBearer, readSession, type Claims } from '@features/session';
import { showAlert } from '@features/ui-dialogs';
import { isAnyOf, type Action } from '@reduxjs/toolkit';
import type { Deps } from '@shared/deps';
import type { VaultContents } from '@shared/ports/vault';
import { paths } from '@vestibule/contract/paths';
import { callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { put, select, take, takeLatest, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { describeVerifyError } from '../auth.errors';
import { authMessages } from '../auth.messages';
import { refusalMessages } from '../refusals.messages';
import { wayEnded, wayRequested } from '@shared/slots';
import { loadWay } from '../loadWay';
import { loginHintOf } from '../provider/authorizationUrl';
import { knownProvider } from '../provider/knownProvider';
import {
  providerAttemptFailed,
  providerCodeReceived,
  providerRequested,
} from '../provider/providerAttempt.slice';
import {
  runProviderAttempts,
  type ProviderCode,
  type ProviderOffer,
} from '../provider/runProviderAttempts.saga';
import {
  identityPasswordSubmitted,
  identityProvidersKnown,
  identityProvidersRequested,
  identityRefused,
  selectVerifyIdentity,
  verificationStarted,
  verifyIdentityEntered,
  verifyIdentityLeft,
} from './verification.slice';
import { verificationLifeMs } from './verificationPeriod.saga';

/** The password, or a provider's new code. */
type Evidence = { readonly password: string } | { readonly code: string; readonly codeVerifier?: string };

/**
 * Runs the verify-identity screen until it is left: it checks the password, or opens a provider window, and starts the
 * verification period. See docs/behaviour.md#proof-of-identity.
 */
export function* verifyIdentity(deps: Deps, purpose: string): SagaGenerator<void> {
  const stored = readSession(deps);
  // Without a session the access check redirects.
  if (stored.kind !== 'present') return;
  yield* takeLatest(
    [isRefusal, providerRequested, identityProvidersRequested, providerCodeReceived],
    showRefusal,
  );
  yield* takeLeading(wayRequested, proveByWay, deps, purpose);
  const hasPassword = stored.claims.method === 'basic';
  const provider = knownProvider(deps, stored.claims);
  yield* put(verifyIdentityEntered(hasPassword ? 'password' : (provider ?? 'provider')));
  try {
    if (hasPassword) yield* call(askForPassword, deps, purpose);
    else yield* call(askProvider, deps, purpose, stored.claims);
  } finally {
    yield* put(verifyIdentityLeft());
  }
}

/** `/reset-password-verify`, for accounts with a password only. See docs/behaviour.md#change-password. */
export function* verifyForPassword(deps: Deps): SagaGenerator<void> {
  const stored = readSession(deps);
  if (stored.kind === 'present' && stored.claims.method !== 'basic')
    yield* call(deps.navigation.replace, paths.accountSettings());
  else yield* call(verifyIdentity, deps, 'changePassword');
}

const isRefusal = isAnyOf(identityRefused, providerAttemptFailed);

/**
 * Shows the dialog of a refusal. The next attempt does not wait for it: a new attempt or a late code of a provider closes the
 * dialog.
 */
function* showRefusal(action: Action): SagaGenerator<void> {
  if (isRefusal(action)) yield* call(showAlert, { ...refusalMessages.identity, ...action.payload });
}

function* askForPassword(deps: Deps, purpose: string): SagaGenerator<never> {
  for (;;) {
    const { meta } = yield* take(identityPasswordSubmitted);
    yield* call(prove, deps, purpose, { password: meta.secret });
  }
}

function* askProvider(deps: Deps, purpose: string, claims: Claims): SagaGenerator<never> {
  const loginHint = loginHintOf(claims.email) ?? loginHintOf(claims.username);
  for (;;) {
    const offers = yield* call(findOffers, deps, purpose, claims);
    if (offers.length > 0)
      yield* call(runProviderAttempts, deps, { offers, loginHint, forced: true }, (code) =>
        prove(deps, purpose, code),
      );
    yield* take(identityProvidersRequested);
  }
}

/**
 * Finds the providers to offer: the one that the user signed in with if it is known and the account has it, otherwise all.
 */
function* findOffers(deps: Deps, purpose: string, claims: Claims): SagaGenerator<readonly ProviderOffer[]> {
  const result = yield* callApi(deps.api.auth.methods, claims.username);
  if (!result.ok) {
    yield* put(identityRefused(describeVerifyError(result.error, purpose)));
    return [];
  }
  const all = result.value.filter((one): one is ProviderOffer => one.method !== 'basic');
  const known = knownProvider(deps, claims);
  const own = all.filter(({ method }) => method === known);
  const offers = own.length > 0 ? own : all;
  yield* put(identityProvidersKnown(offers.map(({ method }) => method)));
  if (offers.length === 0) yield* put(identityRefused({ message: authMessages.errors.noMethods }));
  return offers;
}

function* prove(deps: Deps, purpose: string, given: Evidence | ProviderCode): SagaGenerator<void> {
  const { method: _known, ...evidence } = { method: null, ...given };
  // The session is read again, because the token may have been refreshed since the screen was entered.
  const stored = readSession(deps);
  if (stored.kind !== 'present') return;
  const result = yield* callApi(deps.api.auth.validatePassword, stored.tokens.token, evidence);
  if (!result.ok) {
    yield* put(identityRefused(describeVerifyError(result.error, purpose)));
    return;
  }
  // Turning off and changing the password send the password again. Other purposes send the token alone.
  const keepsPassword = 'password' in evidence && (purpose === 'disable' || purpose === 'changePassword');
  yield* call(startPeriod, deps, purpose, {
    ...result.value,
    ...(keepsPassword ? { password: evidence.password } : {}),
  });
}

/** Another way cannot prove identity for a change of password, which needs the old password. */
function* proveByWay(
  deps: Deps,
  purpose: string,
  { payload }: ReturnType<typeof wayRequested>,
): SagaGenerator<void> {
  if ((yield* select(selectVerifyIdentity)).phase !== 'otherWay') return;
  const { verify } = yield* call(loadWay, deps, payload);
  if (!verify) {
    yield* put(wayEnded());
    return;
  }
  // The token is read for each call, because it may have been refreshed.
  const readToken = () => readBearer(deps)?.token ?? '';
  const authVerificationToken = yield* call(verify, deps, readToken);
  if (authVerificationToken)
    yield* call(startPeriod, deps, purpose, { authVerificationToken, byOtherWay: true });
}

function* startPeriod(
  deps: Deps,
  purpose: string,
  proof: VaultContents['verification'],
): SagaGenerator<void> {
  yield* call(deps.vault.put<'verification'>, 'verification', proof);
  yield* put(verificationStarted({ purpose, expiresAt: deps.clock.now() + verificationLifeMs }));
}
