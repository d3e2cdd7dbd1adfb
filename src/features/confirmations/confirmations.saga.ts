import { allowRedirect, asLocalTime, readAsBearer, sessionRestored } from '@features/session';
import { isRefusal } from '@shared/api/apiError';
import type { Deps, ScreenModule, Visit } from '@shared/deps';
import { linkIdIn } from '@shared/routing/linkId';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { msOf } from '@shared/ui/date';
import { paths } from '@vestibule/contract/paths';
import { put, race, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { ConfirmPaymentScreen } from './ConfirmPayment.container';
import { askForProof } from './askForProof.saga';
import type { Confirmation } from './confirmations.calls';
import {
  attemptEnded,
  codeRejected,
  confirmationClosed,
  confirmationEnded,
  confirmationEntered,
  confirmationLoaded,
  confirmationRetried,
  confirmationUnreached,
  selectConfirmation,
  type Ending,
} from './confirmations.slice';

/** How long the result is shown before the browser returns to the application, ms. */
const returnAfterMs = 1500;

/** `/confirm/{id}`: asks the user to confirm one payment. See docs/behaviour.md#payments. */
function* confirmPayment(deps: Deps, { params }: Visit): SagaGenerator<void> {
  yield* put(confirmationEntered());
  const id = linkIdIn(params['confirmation']);
  if (id === null || !(yield* call(decide, deps, id)))
    yield* call(deps.navigation.replace, paths.unauthorized());
}

/**
 * Reads the payment and asks, until it has ended; again where the service does not accept a proof any more, and when the user
 * comes back.
 *
 * @returns `false` if the confirmation is unknown, or another user's
 */
function* decide(deps: Deps, id: string): SagaGenerator<boolean> {
  for (;;) {
    const confirmation = yield* call(untilRead, deps, id);
    if (!confirmation) return false;
    const { state, payment, methods, returnUrl, expiresAt } = confirmation;
    yield* put(
      confirmationLoaded({
        status: state,
        payment,
        methods: {
          passkey: methods.includes('passkey') && (yield* call(supportsPasskeys, deps)),
          text: methods.includes('text'),
        },
      }),
    );
    const ending = state === 'open' ? yield* call(untilEnded, deps, id, expiresAt) : state;
    if (ending) {
      yield* call(goBack, deps, id, ending, returnUrl);
      return true;
    }
  }
}

const supportsPasskeys = ({ passkeys }: Deps): Promise<boolean> =>
  passkeys().then(
    (browser) => browser.supports('get'),
    () => false,
  );

/** Repeats the call on 'Try Again' until the service responds; `null` if it refused. */
function* untilRead(deps: Deps, id: string): SagaGenerator<Confirmation | null> {
  for (;;) {
    const result = yield* readAsBearer(
      deps,
      async (token) => await deps.api.confirmations.confirmation(token, id),
    );
    if (result?.ok) return result.value;
    // A 401 is about the session, which a refresh then renews or ends.
    if (result && isRefusal(result.error) && result.error.details.status !== 401) return null;
    yield* put(confirmationUnreached());
    yield* take(confirmationRetried);
  }
}

/** @returns how the confirmation has ended; `null` if it has to be read again */
function* untilEnded(deps: Deps, id: string, expiresAt: string): SagaGenerator<Ending | null> {
  const { ended, isOver } = yield* race({
    asking: call(askForProof, deps, id),
    ended: take(confirmationEnded),
    closed: take(confirmationClosed),
    restored: take(sessionRestored),
    isOver: call(untilExpired, deps, expiresAt),
  });
  if (isOver) yield* put(confirmationEnded({ status: 'expired' }));
  return ended ? ended.payload.status : isOver ? 'expired' : null;
}

function* untilExpired(deps: Deps, expiresAt: string): SagaGenerator<true> {
  yield* call(waitUntil, deps.clock, asLocalTime(deps, msOf(expiresAt)));
  // The proof may have reached the service in time, which its response says.
  if ((yield* select(selectConfirmation)).phase === 'deciding') yield* take([attemptEnded, codeRejected]);
  return true;
}

/** Tells the parent of a frame how it ended, or returns to the application after the user's decision. */
function* goBack(deps: Deps, id: string, state: Ending, returnUrl: string | null): SagaGenerator<void> {
  const { clock, navigation, parentFrame } = deps;
  if (parentFrame.embedded) {
    yield* call(parentFrame.notify, { type: 'vestibule/confirmation', id, state });
    return;
  }
  const url = state === 'confirmed' || state === 'declined' ? allowRedirect(returnUrl, deps) : null;
  if (!url) return;
  yield* call(waitUntil, clock, clock.now() + returnAfterMs);
  yield* call(navigation.leave, url);
}

/** `/confirm/{id}`. */
export const confirmPaymentScreen: ScreenModule = { Screen: ConfirmPaymentScreen, saga: confirmPayment };
