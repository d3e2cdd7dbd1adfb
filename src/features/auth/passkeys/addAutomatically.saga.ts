import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import type * as contract from '@vestibule/contract/schema';
import { delay, race } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { askBrowser, type PasskeyDeps } from './askPasskey.saga';

/** How long the page may wait before it leaves, ms. */
const longestWaitMs = 2000;

/**
 * Has the browser make a passkey without asking, after a sign-in with a password that its password manager keeps. Any refusal is
 * silent. A passkey that the service did not get is removed when the list is read.
 *
 * @param bearer - the token of the sign-in
 */
export function* addAutomatically(deps: PasskeyDeps, bearer: string): SagaGenerator<void> {
  const browser = yield* call(() => deps.passkeys().catch(() => null));
  if (!browser || !(yield* call(browser.supports, 'conditionalCreate'))) return;
  yield* race({ added: call(add, deps, bearer), tooLong: delay(longestWaitMs) });
}

function* add(deps: PasskeyDeps, bearer: string): SagaGenerator<void> {
  const { api } = deps;
  const options = yield* callApi(api.passkeys.addOptions, bearer, { automatic: true } as const);
  if (!options.ok) return;
  const { challengeToken, publicKey } = options.value;
  const outcome = yield* call(askBrowser<contract.PasskeyAddRequest['credential']>, deps, (browser, signal) =>
    browser.create({ publicKey, conditional: true, signal }),
  );
  if (outcome.kind === 'given')
    yield* callApi(api.passkeys.add, bearer, { challengeToken, credential: outcome.credential });
}
