import { allowRedirect, asLocalTime, readAsBearer } from '@features/session';
import { isRefusal } from '@shared/api/apiError';
import type { Deps, ScreenModule, Visit } from '@shared/deps';
import type { AllowedUrl } from '@shared/ports/ports';
import { linkIdIn } from '@shared/routing/linkId';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { msOf } from '@shared/ui/date';
import { paths } from '@vestibule/contract/paths';
import { put, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { ConfirmPaymentScreen } from './ConfirmPayment.container';
import type { Confirmation } from './confirmations.calls';
import {
  confirmationEntered,
  confirmationLoaded,
  confirmationRetried,
  confirmationUnreached,
  selectPayment,
  type Ending,
  type Method,
  type Methods,
} from './confirmations.slice';
import { methodsOf } from './methodsOf.saga';
import { untilEnded } from './untilEnded.saga';

export { proofOfIdentity } from './proofOfIdentity.saga';

/** How long the result is shown before the browser returns to the application, ms. */
const returnAfterMs = 1500;

/** `/confirm/{id}`: asks the user to confirm one payment. See docs/behaviour.md#payments. */
function* confirm(deps: Deps, { params }: Visit): SagaGenerator<void> {
  const id = linkIdIn(params['confirmation']);
  const before = yield* select(selectPayment);
  const goesOnBy = before.phase === 'verified' && before.confirmationId === id ? before.by : null;
  yield* put(confirmationEntered());
  if (id === null || !(yield* call(decide, deps, id, goesOnBy)))
    yield* call(deps.navigation.replace, paths.unauthorized());
}

/**
 * Reads the payment and asks for a proof, until it has ended. Reads it again when the service does not accept a proof any more, when a
 * method becomes usable, and when the user comes back.
 *
 * @param goesOnBy - the method that continues by itself after the proof of identity
 * @returns `false` if the confirmation is unknown, or another user's
 */
function* decide(deps: Deps, id: string, goesOnBy: Method | null): SagaGenerator<boolean> {
  let chosen = goesOnBy;
  for (;;) {
    const confirmation = yield* call(untilRead, deps, id);
    if (!confirmation) return false;
    const { state, payment, blockedUntil, needsIdentity } = confirmation;
    const methods = yield* call(methodsOf, deps, confirmation.methods);
    const waiting = yield* call(waitingIn, deps, confirmation, methods);
    const returnUrl = allowRedirect(confirmation.returnUrl, deps);
    const expiresAt = asLocalTime(deps, msOf(confirmation.expiresAt));
    const { clock, parentFrame } = deps;
    yield* put(
      confirmationLoaded({
        status: state,
        confirmationId: id,
        methods,
        ...{ payment, waiting, blockedUntil, needsIdentity, expiresAt },
        // A link would open the application in the frame. The parent is told about the end.
        returnUrl: parentFrame.embedded ? null : returnUrl,
        readAt: clock.now(),
        secondsLeft: Math.max(0, Math.ceil((expiresAt - clock.now()) / 1000)),
      }),
    );
    const changesAt = [...Object.values(waiting), ...(blockedUntil === null ? [] : [blockedUntil])].map(
      (at) => asLocalTime(deps, msOf(at)),
    );
    const ending =
      state === 'open' ? yield* call(untilEnded, deps, { id, payment, expiresAt, changesAt }, chosen) : state;
    if (ending) {
      yield* call(goBack, deps, id, ending, returnUrl);
      return true;
    }
    chosen = null;
  }
}

/** The methods that wait and that this browser has, with their times. */
function* waitingIn(
  deps: Deps,
  { waiting }: Confirmation,
  methods: Methods,
): SagaGenerator<Partial<Record<Method, string>>> {
  const known = yield* call(
    methodsOf,
    deps,
    waiting.map(({ method }) => method),
  );
  const entries = waiting.flatMap(({ method, from }) =>
    (method === 'passkey' || method === 'text') && known[method] && !methods[method] ? [[method, from]] : [],
  );
  return Object.fromEntries(entries) as Partial<Record<Method, string>>;
}

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

/** Tells the parent of a frame how it ended, or returns to the application after the user's decision. */
function* goBack(deps: Deps, id: string, state: Ending, returnUrl: AllowedUrl | null): SagaGenerator<void> {
  const { clock, navigation, parentFrame } = deps;
  if (parentFrame.embedded) {
    yield* call(parentFrame.notify, { type: 'vestibule/confirmation', id, state });
    return;
  }
  if (!returnUrl || (state !== 'confirmed' && state !== 'declined')) return;
  yield* call(waitUntil, clock, clock.now() + returnAfterMs);
  yield* call(navigation.leave, returnUrl);
}

/** `/confirm/{id}`. */
export const confirmPaymentScreen: ScreenModule = { Screen: ConfirmPaymentScreen, saga: confirm };
