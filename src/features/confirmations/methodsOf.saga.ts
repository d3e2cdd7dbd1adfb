import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Methods } from './confirmations.slice';

/** Those of the methods that this page knows and this browser has. */
export function* methodsOf(deps: Deps, offered: readonly string[]): SagaGenerator<Methods> {
  return {
    passkey: offered.includes('passkey') && (yield* call(supportsPasskeys, deps)),
    text: offered.includes('text'),
  };
}

const supportsPasskeys = ({ passkeys }: Deps): Promise<boolean> =>
  passkeys().then(
    (browser) => browser.supports('get'),
    () => false,
  );

/** If a time has come without a change, because the clock of the service is behind, it is checked again after this, ms. */
const againAfterMs = 15_000;

/** Returns when the first of these times (ms since 1970) has come; never without one. */
export function* untilDue({ clock }: Deps, times: readonly number[]): SagaGenerator<void> {
  const now = clock.now();
  const due = times.map((at) => (at > now ? at : now + againAfterMs));
  if (due.length > 0) yield* call(waitUntil, clock, Math.min(...due));
  else yield* call(() => new Promise<never>(() => undefined));
}
