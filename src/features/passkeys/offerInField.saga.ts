import { askBrowser } from '@shared/sagas/askBrowser.saga';
import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import type { Deps, FinishSignIn } from '@shared/deps';
import { wayChosen } from '@shared/slots';
import type * as contract from '@vestibule/contract/schema';
import { put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { signInWith } from './signInByPasskey.saga';

/** Whether the username step is shown. */
type IsStepShown = () => SagaGenerator<boolean>;

/** The lifetime of a challenge if the options do not contain it, ms. */
const usualLifeMs = 300_000;
/** The shortest time between two unanswered requests, ms, regardless of the lifetime of a challenge. */
const shortestWaitMs = 10_000;

/**
 * Lets the browser list passkeys in the username field while the username step is shown (conditional mediation). A failure before
 * a passkey was chosen is not shown. After a later failure the next request waits until the dialog is closed, because an
 * authenticator may consent without its user.
 */
export function* offerInField(
  deps: Deps,
  isStepShown: IsStepShown,
  finish: FinishSignIn,
): SagaGenerator<void> {
  const browser = yield* call(() => deps.passkeys().catch(() => null));
  if (!browser || !(yield* call(browser.supports, 'conditionalGet'))) return;
  for (;;) {
    yield* call(until, isStepShown, true);
    const { assertion } = yield* race({
      assertion: call(nextChosen, deps),
      left: call(until, isStepShown, false),
    });
    if (assertion) {
      yield* put(wayChosen('passkeys'));
      yield* call(signInWith, deps, assertion, { username: '' }, finish);
    }
  }
}

/** Waits until the step is shown, or until it is hidden. */
function* until(isStepShown: IsStepShown, shown: boolean): SagaGenerator<true> {
  while ((yield* call(isStepShown)) !== shown) yield* take('*');
  return true;
}

/** Waits for a passkey from the list. Never returns after a failure, because the next request would fail too. */
function* nextChosen(deps: Deps): SagaGenerator<contract.PasskeyAssertionRequest> {
  for (;;) {
    yield* call(untilVisible, deps);
    const options = yield* callApi(deps.api.passkeys.signInOptions, {});
    if (!options.ok) break;
    const { challengeToken, publicKey } = options.value;
    const { outcome } = yield* race({
      outcome: call(askBrowser<contract.PasskeyAssertionRequest['credential']>, deps, (browser, signal) =>
        browser.get({ publicKey, conditional: true, signal }),
      ),
      // The request is renewed before its challenge expires.
      old: call(waitUntil, deps.clock, deps.clock.now() + untilRenewalMs(publicKey)),
    });
    if (outcome?.kind === 'given') return { challengeToken, credential: outcome.credential };
    if (outcome) break;
  }
  return yield* call(() => new Promise<never>(() => undefined));
}

const untilRenewalMs = ({ timeout = usualLifeMs }: contract.PasskeyRequestOptions['publicKey']): number =>
  Math.max(0.8 * timeout || 0, shortestWaitMs);

/** Waits until the tab is visible, because a hidden tab does not renew the request. */
function* untilVisible({ pageLife }: Deps): SagaGenerator<void> {
  yield* withChannel(pageLife.subscribe, function* (life) {
    while (!pageLife.isVisible()) yield* take(life);
  });
}
