import { allowConfigured } from '@features/session';
import type { AllowedUrl } from '@shared/platform/allowedUrl';
import type { OauthSecrets, PopupWindow, Provider } from '@shared/platform/providerPorts';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { delay, put, spawn } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { authMessages } from '../auth.messages';
import { googleAuthorizationUrl, isFitConfiguration, microsoftAuthorizationUrl } from './authorizationUrl';
import { handshake } from './popupHandshake.saga';
import type { ProviderCode, ProviderDeps, ProviderEvents, ProviderRequest } from './providerFlow';

/** By then a page that was on its way to the window is there, ms. */
const arrivedAfterMs = 1000;

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
  yield* delay(arrivedAfterMs);
  const returnPoint = allowConfigured(signOnUrl + paths.oauthRedirect());
  if (!window.isClosed() && returnPoint) window.go(returnPoint);
}

function* codeFrom(
  deps: ProviderDeps,
  window: PopupWindow,
  request: ProviderRequest,
  events: ProviderEvents,
): SagaGenerator<ProviderCode | null> {
  const provider = request.offer.method;
  const secrets = yield* call(makeSecrets, deps);
  if (secrets === null || secrets === 'unfetched') {
    yield* put(events.failed(describeNoSecrets(deps, provider, secrets)));
    return null;
  }
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

async function makeSecrets({ makeOauthSecrets }: ProviderDeps): Promise<OauthSecrets | null | 'unfetched'> {
  // Rejects only when our own code for it could not be fetched, which is nobody's configuration.
  return await makeOauthSecrets().catch(() => 'unfetched' as const);
}

/** @param reason - `null`: without WebCrypto there is no challenge, and without a challenge no flow */
function describeNoSecrets({ log }: ProviderDeps, provider: Provider, reason: 'unfetched' | null): string {
  const { microsoftIncomplete, providerFailed } = authMessages.errors;
  const isIncomplete = provider === 'microsoft' && reason === null;
  const words = isIncomplete ? microsoftIncomplete : providerFailed[provider];
  log.error('provider sign-in impossible', new Error(words));
  return words;
}

/** @returns where to send the window, or the words of what is wrong with the configuration */
function targetOf(
  { config }: ProviderDeps,
  { offer, ...request }: ProviderRequest,
  secrets: OauthSecrets,
): { readonly url: AllowedUrl } | string {
  const misconfigured = authMessages.errors.microsoftMisconfigured(config.links.providerSupport);
  if (offer.method === 'google') {
    const url = googleAuthorizationUrl(config, secrets, request);
    return url ? { url } : authMessages.errors.providerFailed.google;
  }
  if (!isFitConfiguration(offer.configuration)) return misconfigured;
  const url = microsoftAuthorizationUrl(config, offer.configuration, secrets, request);
  return url ? { url } : misconfigured;
}
