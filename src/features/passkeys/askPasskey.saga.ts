import type { MessageDescriptor } from '@lingui/core';
import { showAlert } from '@features/ui-dialogs';
import { troubleOf, type ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import type { PasskeySignals } from '@shared/ports/ports';
import { askBrowser } from '@shared/sagas/askBrowser.saga';
import { call } from '@shared/sagas/call.saga';
import { callApi, type ApiResult } from '@shared/sagas/callApi.saga';
import type * as contract from '@vestibule/contract/schema';
import type { SagaGenerator } from 'typed-redux-saga';
import { passkeyMessages } from './passkeys.messages';

/**
 * The passkey that the user chose, in the form for the service, or why there is none. `error` is that of the call for the
 * options.
 */
type AskedPasskey =
  | { readonly kind: 'chosen'; readonly assertion: contract.PasskeyAssertionRequest }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: ApiError | null };

/** Asks for a passkey in the browser's own dialog. */
export function* askPasskey(
  deps: Deps,
  loadOptions: () => Promise<contract.PasskeyRequestOptions>,
): SagaGenerator<AskedPasskey> {
  const options = yield* callApi(loadOptions);
  if (!options.ok) return { kind: 'failed', error: options.error };
  const { challengeToken, publicKey } = options.value;
  const outcome = yield* call(
    askBrowser<contract.PasskeyAssertionRequest['credential']>,
    deps,
    (browser, signal) => browser.get({ publicKey, conditional: false, signal }),
  );
  if (outcome.kind === 'failed') return { kind: 'failed', error: null };
  if (outcome.kind === 'cancelled') return outcome;
  return { kind: 'chosen', assertion: { challengeToken, credential: outcome.credential } };
}

/** Sends the chosen passkey. If the service does not know it, this is signalled to the browser. */
export function* sendPasskey<T>(
  deps: Deps,
  assertion: contract.PasskeyAssertionRequest,
  send: (assertion: contract.PasskeyAssertionRequest) => Promise<T>,
): SagaGenerator<ApiResult<T>> {
  const result = yield* callApi(send, assertion);
  if (!result.ok && isUnknown(result.error))
    yield* call(signalBrowser<'signalUnknownCredential'>, deps, 'signalUnknownCredential', {
      credentialId: assertion.credential.id,
    });
  return result;
}

/** Whether the service does not know the passkey (any more). */
export const isUnknown = ({ details }: ApiError): boolean => details.serverCode === 'unknown_credential';

/** Sends a signal to the password manager without waiting. A browser that does not know the signal does nothing. */
export function* signalBrowser<Name extends keyof PasskeySignals>(
  { config, passkeys }: Deps,
  name: Name,
  details: Omit<PasskeySignals[Name], 'rpId'>,
): SagaGenerator<void> {
  const rpId = config.passkeys?.rpId;
  if (rpId === undefined) return;
  yield* call(async () => {
    // The compiler cannot infer the type of this spread.
    const given = { ...details, rpId } as unknown as PasskeySignals[Name];
    void passkeys()
      .then((browser) => browser.signal(name, given))
      .catch(() => undefined);
    await Promise.resolve();
  });
}

/** Shows the dialog 'Passkey Error'. */
export function* showPasskeyFailure(message: MessageDescriptor, error: ApiError | null): SagaGenerator<void> {
  yield* call(showAlert, {
    ...passkeyMessages.error,
    message: error && isUnknown(error) ? passkeyMessages.unknown : message,
    ...(error && troubleOf(error)),
  });
}
