import type { AllowedUrl, Clock, PopupWindow, Provider } from '@shared/platform/platform';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import type { EventChannel } from 'redux-saga';
import { cancel, delay, fork, put, race, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { bothLines } from './bothLines';
import { flowLine } from './flowLine';
import { noCode, otherIssuer, readOauthMessage, received, type OauthMessage } from './oauthMessage';
import { providerMessages } from './provider.messages';
import type { ProviderDeps, ProviderEvents } from './providerFlow';

/** Time for an answer, ms (decisions §7); the stored state lives as long. */
const answerWithinMs = 10 * 60 * 1000;
/** How often the window is looked at, ms. */
const lookEveryMs = 500;
/** How long the page has to have the focus beside a window that reads as closed, ms, before that is believed. */
const focusForMs = 1000;

/** One flow: which provider, under which state, at which address. */
interface Flow {
  readonly provider: Provider;
  readonly state: string;
  readonly url: AllowedUrl;
}

/**
 * Sends the window to the provider and waits for the authorisation code, which comes over the channel named by the
 * state or from the window itself. Listens before it sends. The flow ends once: with the code, an error, the time
 * limit, or the cancellation of this saga; then the channel is closed and the stored state is gone.
 */
export function* handshake(
  deps: ProviderDeps,
  window: PopupWindow,
  flow: Flow,
  events: ProviderEvents,
): SagaGenerator<string | null> {
  const channel = deps.broadcast.open(flow.state);
  const lines = [channel, flowLine(window, flow.state)];
  try {
    if (!deps.oauthStates.store(flow.state, flow.provider)) {
      yield* put(events.failed(providerMessages.errors.failed[flow.provider]));
      return null;
    }
    return yield* withChannel(bothLines(lines), function* (messages) {
      window.go(flow.url);
      const watching = yield* fork(watchWindow, deps, window, flow, events);
      try {
        const answer = yield* call(awaitAnswer, deps.clock, messages);
        if (answer) for (const line of lines) line.post(received);
        if (answer?.type === 'oauth/code') return answer.code;
        // That the window was closed has been told: the end of the wait is no news.
        if (answer || watching.isRunning()) yield* put(events.failed(describeFailure(deps, flow, answer)));
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

/** @returns what the window said, or `null` when it said nothing in time */
function* awaitAnswer(clock: Clock, messages: EventChannel<object>): SagaGenerator<OauthMessage | null> {
  const deadline = clock.now() + answerWithinMs;
  for (;;) {
    const { raw } = yield* race({ raw: take(messages), late: call(waitUntil, clock, deadline) });
    if (raw === undefined) return null;
    const message = readOauthMessage(raw);
    if (message) return message;
  }
}

function describeFailure(
  { log }: Pick<ProviderDeps, 'log'>,
  { provider }: Flow,
  answer: Extract<OauthMessage, { type: 'oauth/error' }> | null,
): string {
  const { errors } = providerMessages;
  if (answer?.error === otherIssuer)
    log.error('provider sign-in failed', new Error(`The answer is not of the issuer of ${provider}`));
  if (answer?.error !== noCode) return errors.failed[provider];
  log.error('provider sign-in failed', new Error(errors.noCode));
  return errors.noCode;
}

/**
 * Believes that the person closed the window only when they are back on our page: a provider's page that severs the
 * window makes it read as closed while it stands open in front.
 */
function* watchWindow(
  { clock, pageLife }: ProviderDeps,
  window: PopupWindow,
  { provider }: Flow,
  events: ProviderEvents,
): SagaGenerator<void> {
  while (!window.isClosed()) yield* delay(lookEveryMs);
  yield* put(events.maybeClosed());
  let focusedSince: number | null = null;
  for (;;) {
    const now = clock.now();
    focusedSince = pageLife.hasFocus() ? (focusedSince ?? now) : null;
    if (focusedSince !== null && now - focusedSince >= focusForMs) break;
    yield* delay(lookEveryMs);
  }
  yield* put(events.failed(providerMessages.errors.failed[provider]));
}
