import type { Deps } from '@shared/deps';
import { askBrowser } from '@shared/sagas/askBrowser.saga';
import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import type * as contract from '@vestibule/contract/schema';
import { delay, race } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** The page waits at most this long for the browser, and then for the service, ms. */
const longestWaitMs = 2000;

/**
 * Lets the browser create a passkey without asking, after a sign-in with a password from its password manager. A failure is not
 * shown. A passkey that did not reach the service is removed when the list is loaded next.
 *
 * @param bearer - the token of the sign-in
 * @param passkeyOffer - of its response, undecoded
 */
export function* addAutomatically(deps: Deps, bearer: string, passkeyOffer: unknown): SagaGenerator<void> {
  if (typeof passkeyOffer !== 'string') return;
  const browser = yield* call(() => deps.passkeys().catch(() => null));
  if (!browser || !(yield* call(browser.supports, 'conditionalCreate'))) return;
  const { made } = yield* race({
    made: call(make, deps, bearer, passkeyOffer),
    tooLong: delay(longestWaitMs),
  });
  if (!made) return;
  yield* race({
    added: callApi(deps.api.passkeys.add, bearer, made),
    tooLong: delay(longestWaitMs),
  });
}

function* make(
  deps: Deps,
  bearer: string,
  passkeyOffer: string,
): SagaGenerator<contract.PasskeyAddRequest | null> {
  const { api } = deps;
  const options = yield* callApi(api.passkeys.addOptions, bearer, { passkeyOffer });
  if (!options.ok) return null;
  const { challengeToken, publicKey } = options.value;
  const outcome = yield* call(askBrowser<contract.PasskeyAddRequest['credential']>, deps, (browser, signal) =>
    browser.create({ publicKey, conditional: true, signal }),
  );
  return outcome.kind === 'given' ? { challengeToken, credential: outcome.credential } : null;
}
