import type { MessageDescriptor } from '@lingui/core';
import type { Deps } from '@shared/deps';
import { allowConfigured } from '@features/session';
import { isAnyOf } from '@reduxjs/toolkit';
import type { LoginMethod } from '@shared/api/decoders';
import type { AllowedUrl, OauthSecrets, PopupWindow } from '@shared/ports/ports';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import type { Task } from 'redux-saga';
import { cancel, delay, fork, join, put, select, spawn, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import {
  googleAuthorizationUrl,
  isFitConfiguration,
  microsoftAuthorizationUrl,
  type AuthorizationRequest,
} from './authorizationUrl';
import { stateOn } from './supplierReturn';
import { providerMessages } from './provider.messages';
import {
  providerAbandoned,
  providerAttemptEnded,
  providerAttemptFailed,
  providerAttemptsClosed,
  providerCodeReceived,
  providerRequested,
  providerWindowBlocked,
  providerWindowOpened,
  selectProviderAttempt,
} from './providerAttempt.slice';
import { waitForCode } from './waitForCode.saga';

/** The pauses before another try to close a window, ms. They grow, so that our page in the window has time to load. */
const closeAgainAfterMs = [1000, 2000, 4000, 8000, 16_000];

/** A provider among the login methods. */
export type ProviderOffer = Exclude<LoginMethod, { method: 'basic' }>;

/** An authorization code, which can be exchanged once. */
export type ProviderCode =
  | { readonly method: 'google'; readonly code: string }
  | { readonly method: 'microsoft'; readonly code: string; readonly codeVerifier: string };

type Request = AuthorizationRequest & { readonly offer: ProviderOffer };

/** The attempts of one screen. */
interface ProviderAttempts extends AuthorizationRequest {
  readonly offers: readonly ProviderOffer[];
}

/**
 * Runs the provider attempts of a screen that signs in or verifies identity, one at a time: a new one, or Cancel, closes a
 * window that is still open. During the exchange of a code no other attempt is accepted. See
 * docs/behaviour.md#provider-window.
 */
export function* runProviderAttempts(
  deps: Deps,
  { offers, ...request }: ProviderAttempts,
  exchange: (code: ProviderCode) => SagaGenerator<void>,
): SagaGenerator<never> {
  let running: Task | null = null;
  try {
    for (;;) {
      const action = yield* take(nextEvent);
      if (providerCodeReceived.match(action)) {
        if (running) yield* join(running);
        continue;
      }
      const offer = providerRequested.match(action)
        ? offers.find(({ method }) => method === action.payload)
        : undefined;
      if (providerRequested.match(action) && !offer) continue;
      if (running) yield* cancel(running);
      // No effect before this fork may wait, because browsers open a window only in the turn of the click.
      running = offer ? yield* fork(runAttempt, deps, { ...request, offer }, exchange) : null;
    }
  } finally {
    if (yield* select(selectProviderAttempt)) yield* put(providerAttemptsClosed());
  }
}

const nextEvent = isAnyOf(providerRequested, providerAbandoned, providerCodeReceived);

function* runAttempt(
  deps: Deps,
  request: Request,
  exchange: (code: ProviderCode) => SagaGenerator<void>,
): SagaGenerator<void> {
  const window = deps.popup.openBlank();
  if (!window) {
    yield* put(providerWindowBlocked(request.offer.method));
    return;
  }
  let code: ProviderCode | null;
  try {
    yield* put(providerWindowOpened(request.offer.method));
    code = yield* call(getCodeFrom, deps, window, request);
  } finally {
    // This has no effect if the opener policy of the provider has severed the window.
    window.close();
    yield* spawn(closeAgain, deps.config, window);
  }
  if (code) {
    yield* put(providerCodeReceived(code.method));
    yield* call(exchange, code);
  } else {
    yield* put(providerAttemptEnded());
  }
}

/**
 * Chromium ignores `close` while the page of the provider is loading, and then each later `close` of the opener. So the
 * window is sent to our return point, which finds no stored state and closes itself.
 */
function* closeAgain({ signOnUrl }: Deps['config'], window: PopupWindow): SagaGenerator<void> {
  const returnPoint = allowConfigured(signOnUrl + paths.oauthRedirect());
  if (!returnPoint) return;
  for (const ms of closeAgainAfterMs) {
    yield* delay(ms);
    if (window.isClosed()) return;
    window.go(returnPoint);
  }
}

function* getCodeFrom(deps: Deps, window: PopupWindow, request: Request): SagaGenerator<ProviderCode | null> {
  const provider = request.offer.method;
  const made = yield* call(makeSecrets, deps);
  if (!made) {
    yield* put(providerAttemptFailed({ message: providerMessages.errors.failed[provider] }));
    return null;
  }
  const secrets = { ...made, state: stateOn(deps.navigation.host(), made.state, deps.config) };
  const target = targetOf(deps, request, secrets);
  if ('id' in target) {
    yield* put(providerAttemptFailed({ message: target }));
    return null;
  }
  const flow = { provider, state: secrets.state, url: target.url };
  const code = yield* call(waitForCode, deps, window, flow);
  if (code === null) return null;
  return provider === 'microsoft'
    ? { method: provider, code, codeVerifier: secrets.verifier }
    : { method: provider, code };
}

/** @returns `null` when the chunk failed to load, or the browser has no WebCrypto (a page without https) */
async function makeSecrets({ makeOauthSecrets, log }: Deps): Promise<OauthSecrets | null> {
  try {
    const secrets = await makeOauthSecrets();
    if (!secrets) log.error('provider sign-in impossible', new Error('No WebCrypto'));
    return secrets;
  } catch (error) {
    log.error('provider sign-in impossible', error);
    return null;
  }
}

/** @returns the address for the window, or the text about a faulty configuration */
function targetOf(
  { config, log }: Deps,
  { offer, ...request }: Request,
  secrets: OauthSecrets,
): { readonly url: AllowedUrl } | MessageDescriptor {
  const { failed, microsoftMisconfigured, microsoftIncomplete } = providerMessages.errors;
  if (offer.method === 'google') {
    const url = googleAuthorizationUrl(config, secrets, request);
    return url ? { url } : failed.google;
  }
  const url =
    isFitConfiguration(offer.configuration) &&
    microsoftAuthorizationUrl(config, offer.configuration, secrets, request);
  if (url) return { url };
  log.error('provider sign-in impossible', new Error(microsoftIncomplete.message));
  return microsoftMisconfigured(config.links.providerSupport);
}
