import type { MessageDescriptor } from '@lingui/core';
import type { Deps } from '@shared/deps';
import type { AllowedUrl, Clock, PopupWindow, Provider } from '@shared/ports/ports';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import type { EventChannel } from 'redux-saga';
import { cancel, delay, fork, put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import {
  mergeChannels,
  noCode,
  otherIssuer,
  readOauthMessage,
  received,
  scopeToFlow,
  type OauthMessage,
} from './oauthChannel';
import { providerMessages } from './provider.messages';
import { providerAttemptFailed, providerWindowMaybeClosed } from './providerAttempt.slice';

/** The time limit for a response, ms. The stored state lasts as long. See docs/behaviour.md#provider-window. */
const responseWithinMs = 10 * 60 * 1000;
/** The interval at which `closed` of the window is checked, ms. */
const checkEveryMs = 500;
/** The time for which the page must have the focus before `closed` counts, ms. */
const focusForMs = 1000;

/** One authorization request. */
interface Flow {
  readonly provider: Provider;
  readonly state: string;
  readonly url: AllowedUrl;
}

/**
 * Sends the window to the provider and waits for the authorization code, on the channel named after the state and on the
 * window itself. At the end of the flow, also when this saga is cancelled, the channel is closed and the stored state
 * removed.
 *
 * @returns `null` after a failure, which `providerAttemptFailed` has reported
 */
export function* waitForCode(deps: Deps, window: PopupWindow, flow: Flow): SagaGenerator<string | null> {
  const channel = deps.broadcast.open(flow.state);
  const lines = [channel, scopeToFlow(window, flow.state)];
  try {
    if (!deps.oauthStates.store(flow.state, flow.provider)) {
      yield* put(providerAttemptFailed({ message: providerMessages.errors.failed[flow.provider] }));
      return null;
    }
    return yield* withChannel(mergeChannels(lines), function* (messages) {
      window.go(flow.url);
      const watching = yield* fork(watchWindow, deps, window, flow);
      try {
        const message = yield* call(waitForResponse, deps.clock, messages);
        if (message) for (const line of lines) line.post(received);
        if (message?.type === 'oauth/code') return message.code;
        // `watchWindow` has finished: it has reported the closed window already.
        if (message || watching.isRunning())
          yield* put(providerAttemptFailed({ message: describeFailure(deps, flow, message) }));
        return null;
      } finally {
        yield* cancel(watching);
      }
    });
  } finally {
    channel.close();
    deps.oauthStates.remove(flow.state);
  }
}

/** @returns `null` after the time limit */
function* waitForResponse(clock: Clock, messages: EventChannel<object>): SagaGenerator<OauthMessage | null> {
  const deadline = clock.now() + responseWithinMs;
  for (;;) {
    const { raw } = yield* race({ raw: take(messages), late: call(waitUntil, clock, deadline) });
    if (raw === undefined) return null;
    const message = readOauthMessage(raw);
    if (message) return message;
  }
}

function describeFailure(
  { log }: Deps,
  { provider }: Flow,
  response: Extract<OauthMessage, { type: 'oauth/error' }> | null,
): MessageDescriptor {
  const { errors } = providerMessages;
  if (response?.error === otherIssuer)
    log.error('provider sign-in failed', new Error(`The response is not of the issuer of ${provider}`));
  if (response?.error !== noCode) return errors.failed[provider];
  log.error('provider sign-in failed', new Error(errors.noCode.message));
  return errors.noCode;
}

/**
 * Reports a closed window only when the user is back on this page: a provider's opener policy makes `closed` true while
 * the window is still open in front.
 */
function* watchWindow(
  { clock, pageLife }: Deps,
  window: PopupWindow,
  { provider }: Flow,
): SagaGenerator<void> {
  while (!window.isClosed()) yield* delay(checkEveryMs);
  yield* put(providerWindowMaybeClosed());
  let focusedSince: number | null = null;
  for (;;) {
    const now = clock.now();
    focusedSince = pageLife.hasFocus() ? (focusedSince ?? now) : null;
    if (focusedSince !== null && now - focusedSince >= focusForMs) break;
    yield* delay(checkEveryMs);
  }
  yield* put(providerAttemptFailed({ message: providerMessages.errors.failed[provider] }));
}
