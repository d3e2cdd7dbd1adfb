import { allowConfigured } from '@features/session';
import type { AllowedUrl, OauthSecrets, PopupWindow } from '@shared/platform/platform';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call.saga';
import { delay, put, spawn } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { googleAuthorizationUrl, isFitConfiguration, microsoftAuthorizationUrl } from './authorizationUrl';
import { stateOn } from './flowHost';
import { handshake } from './popupHandshake.saga';
import { providerMessages } from './provider.messages';
import type { ProviderCode, ProviderDeps, ProviderEvents, ProviderRequest } from './providerFlow';

/** By then a page that was on its way to the window is there, ms; longer each time, so that ours has time to load. */
const arrivedAfterMs = [1000, 2000, 4000, 8000, 16_000];

/**
 * Gets an authorisation code through the provider's pop-up (specification §4; decisions §7). Its first effect opens the
 * window, so it must be started in the turn of the click.
 *
 * @returns the code, or `null` when the flow is over without one and `events` told why
 */
export function* providerCode(
  deps: ProviderDeps,
  request: ProviderRequest,
  events: ProviderEvents,
): SagaGenerator<ProviderCode | null> {
  const window = deps.popup.openBlank();
  if (!window) {
    yield* put(events.blocked());
    return null;
  }
  try {
    return yield* call(codeFrom, deps, window, request, events);
  } finally {
    // Ours to close as long as the provider's page has not severed it.
    window.close();
    yield* spawn(closeAfterArrival, deps.config, window);
  }
}

/**
 * Chromium loses a close that meets the arrival of the provider's page, and every further one from outside. Our return
 * point, to which no flow belongs any more, closes itself.
 */
function* closeAfterArrival({ signOnUrl }: ProviderDeps['config'], window: PopupWindow): SagaGenerator<void> {
  const returnPoint = allowConfigured(signOnUrl + paths.oauthRedirect());
  if (!returnPoint) return;
  for (const ms of arrivedAfterMs) {
    yield* delay(ms);
    if (window.isClosed()) return;
    window.go(returnPoint);
  }
}

function* codeFrom(
  deps: ProviderDeps,
  window: PopupWindow,
  request: ProviderRequest,
  events: ProviderEvents,
): SagaGenerator<ProviderCode | null> {
  const provider = request.offer.method;
  const made = yield* call(makeSecrets, deps);
  if (!made) {
    yield* put(events.failed(providerMessages.errors.failed[provider]));
    return null;
  }
  const secrets = { ...made, state: stateOn(deps.navigation.host(), made.state, deps.config) };
  const target = targetOf(deps, request, secrets);
  if (typeof target === 'string') {
    yield* put(events.failed(target));
    return null;
  }
  const code = yield* call(
    handshake,
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

/** `null`: our code for it could not be fetched, or the browser keeps WebCrypto from a page without https. */
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

/** @returns where to send the window, or the words of what is wrong with the configuration */
function targetOf(
  { config, log }: ProviderDeps,
  { offer, ...request }: ProviderRequest,
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
