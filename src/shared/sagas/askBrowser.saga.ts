import type { Deps } from '../deps';
import type { PasskeyOutcome, Passkeys } from '../ports/ports';
import type { SagaGenerator } from 'typed-redux-saga';
import { call } from './call.saga';

/** Asks the browser for a passkey. Cancelling this saga aborts the request. A missing chunk of the port counts as a failure. */
export function* askBrowser<Made>(
  { passkeys }: Deps,
  ask: (browser: Passkeys, signal: AbortSignal) => Promise<PasskeyOutcome<Made>>,
): SagaGenerator<PasskeyOutcome<Made>> {
  const leaving = new AbortController();
  const asked = async (): Promise<PasskeyOutcome<Made>> => await ask(await passkeys(), leaving.signal);
  try {
    return yield* call(() => asked().catch((): PasskeyOutcome<Made> => ({ kind: 'failed' })));
  } finally {
    leaving.abort();
  }
}
