import { allowConfigured } from '@features/session';
import type { Action } from '@reduxjs/toolkit';
import type { LoginMethod } from '@shared/api/decoders';
import type { AllowedUrl, OauthSecrets, PopupWindow, Provider } from '@shared/platform/platform';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { delay, put, spawn } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import {
  googleAuthorizationUrl,
  isFitConfiguration,
  microsoftAuthorizationUrl,
  type AuthorizationRequest,
} from './authorizationUrl';
import { stateOn } from './flowHost';
import { providerMessages } from './provider.messages';
import { receiveCode, type FlowEvents, type ProviderDeps } from './receiveCode.saga';

/** When to try to close a window again, ms; longer each time, so that our page in it has time to load. */
const closeAgainAfterMs = [1000, 2000, 4000, 8000, 16_000];

/** A provider among the login methods. */
export type ProviderOffer = Exclude<LoginMethod, { method: 'basic' }>;

/** An authorization code, good for one exchange. */
export type ProviderCode =
  | { readonly method: 'google'; readonly code: string }
  | { readonly method: 'microsoft'; readonly code: string; readonly codeVerifier: string };

/** How an attempt informs the screen that it belongs to. */
interface AttemptEvents extends FlowEvents {
  /** The browser blocked the window. */
  readonly blocked: () => Action;
  /** The attempt ended without a code. */
  readonly ended: () => Action;
  /** The code arrived and is about to be exchanged. */
  readonly codeReceived: (provider: Provider) => Action;
}

type Request = AuthorizationRequest & { readonly offer: ProviderOffer };

/**
 * One attempt through a provider, at sign-in and at verify identity: opens its window, waits for the code, has it
 * exchanged. Its first effect opens the window, so it must be started in the turn of the click. See
 * docs/behaviour.md#provider-window.
 */
export function* runProviderAttempt(
  deps: ProviderDeps,
  request: Request,
  events: AttemptEvents,
  exchange: (code: ProviderCode) => SagaGenerator<void>,
): SagaGenerator<void> {
  const code = yield* call(getCode, deps, request, events);
  if (code) {
    yield* put(events.codeReceived(code.method));
    yield* call(exchange, code);
  } else {
    yield* put(events.ended());
  }
}

function* getCode(
  deps: ProviderDeps,
  request: Request,
  events: AttemptEvents,
): SagaGenerator<ProviderCode | null> {
  const window = deps.popup.openBlank();
  if (!window) {
    yield* put(events.blocked());
    return null;
  }
  try {
    return yield* call(getCodeFrom, deps, window, request, events);
  } finally {
    // Without effect once the provider's opener policy has severed the window.
    window.close();
    yield* spawn(closeAgain, deps.config, window);
  }
}

/**
 * Chromium ignores a `close` while the provider's page is loading, and every later one from outside. So the window is sent
 * to our return point, which finds no stored state and closes itself.
 */
function* closeAgain({ signOnUrl }: ProviderDeps['config'], window: PopupWindow): SagaGenerator<void> {
  const returnPoint = allowConfigured(signOnUrl + paths.oauthRedirect());
  if (!returnPoint) return;
  for (const ms of closeAgainAfterMs) {
    yield* delay(ms);
    if (window.isClosed()) return;
    window.go(returnPoint);
  }
}

function* getCodeFrom(
  deps: ProviderDeps,
  window: PopupWindow,
  request: Request,
  events: FlowEvents,
): SagaGenerator<ProviderCode | null> {
  const provider = request.offer.method;
  const made = yield* call(makeSecrets, deps);
  if (!made) {
    yield* put(events.failed({ message: providerMessages.errors.failed[provider] }));
    return null;
  }
  const secrets = { ...made, state: stateOn(deps.navigation.host(), made.state, deps.config) };
  const target = targetOf(deps, request, secrets);
  if (typeof target === 'string') {
    yield* put(events.failed({ message: target }));
    return null;
  }
  const code = yield* call(
    receiveCode,
    deps,
    window,
    { provider, state: secrets.state, url: target.url },
    events,
  );
  if (code === null) return null;
  return provider === 'microsoft'
    ? { method: provider, code, codeVerifier: secrets.verifier }
    : { method: provider, code };
}

/** @returns `null` when the chunk failed to load, or the browser has no WebCrypto (a page without https) */
async function makeSecrets({ makeOauthSecrets, log }: ProviderDeps): Promise<OauthSecrets | null> {
  try {
    const secrets = await makeOauthSecrets();
    if (!secrets) log.error('provider sign-in impossible', new Error('No WebCrypto'));
    return secrets;
  } catch (error) {
    log.error('provider sign-in impossible', error);
    return null;
  }
}

/** @returns the address for the window, or the text of what is wrong with the configuration */
function targetOf(
  { config, log }: ProviderDeps,
  { offer, ...request }: Request,
  secrets: OauthSecrets,
): { readonly url: AllowedUrl } | string {
  const { failed, microsoftMisconfigured, microsoftIncomplete } = providerMessages.errors;
  if (offer.method === 'google') {
    const url = googleAuthorizationUrl(config, secrets, request);
    return url ? { url } : failed.google;
  }
  const url =
    isFitConfiguration(offer.configuration) &&
    microsoftAuthorizationUrl(config, offer.configuration, secrets, request);
  if (url) return { url };
  log.error('provider sign-in impossible', new Error(microsoftIncomplete));
  return microsoftMisconfigured(config.links.providerSupport);
}
