import type { Deps } from '@shared/deps';
import type { AppConfig } from '@vestibule/contract/appConfig';
import type { MessageChannelPort, Provider } from '@shared/ports/ports';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import type { EventChannel } from 'redux-saga';
import { delay, put, race, take, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { supplierReturnUrl, type ProviderResponse } from './supplierReturn';
import {
  isProviderError,
  isReceived,
  mergeChannels,
  noCode,
  otherError,
  otherIssuer,
  scopeToFlow,
  type OauthMessage,
} from './oauthChannel';
import { oauthReturnEnded, oauthWindowCloseRequested } from './oauthReturn.slice';

/** The interval between two posts, ms. The opener may have missed the first ones. See docs/behaviour.md#channel-messages. */
const postEveryMs = 500;
/** The time limit for the reply of the opener, ms. */
const responseWithinMs = 10_000;

/**
 * Compares the state with the stored one, posts the code to the opener and closes the window. With an unknown state it posts
 * nothing. It passes the response to a supplier host on to that host. See docs/behaviour.md#return-point.
 */
export function* postCodeToOpener(deps: Deps, response: ProviderResponse): SagaGenerator<void> {
  const supplierReturn = supplierReturnUrl(response, deps.navigation.host(), deps.config);
  if (supplierReturn) {
    yield* call(deps.navigation.leave, supplierReturn);
    return;
  }
  yield* takeEvery(oauthWindowCloseRequested, closeWindow, deps);
  const { state = '' } = response;
  const provider = takeState(deps, state);
  if (provider) {
    const isDelivered = yield* call(
      postUntilReceived,
      deps,
      state,
      messageOf(response, deps.config[provider]),
    );
    yield* put(oauthReturnEnded());
    if (!isDelivered) return;
  } else {
    yield* put(oauthReturnEnded());
  }
  yield* call(deps.popup.closeSelf);
}

/** Reads and removes the stored state, which is valid once. */
function takeState({ oauthStates }: Deps, state: string): Provider | null {
  const provider = oauthStates.read(state);
  if (provider) oauthStates.remove(state);
  return provider;
}

type IssuerRule = AppConfig[Provider];

/** Whether `iss` names the provider that the state was made for (RFC 9207, against the mix-up of RFC 9700 §4.4). */
function isIssuer(named: string, { issuer, authorizationUrl }: IssuerRule): boolean {
  if (issuer !== undefined) return named === issuer;
  const { origin } = new URL(authorizationUrl);
  return named === origin || named.startsWith(`${origin}/`);
}

function* closeWindow({ popup }: Deps): SagaGenerator<void> {
  yield* call(popup.closeSelf);
}

/** Checks the issuer first, then the error. A code that comes with an error is not used. */
function messageOf({ code, error, issuer }: ProviderResponse, rule: IssuerRule): OauthMessage {
  if (issuer !== undefined && !isIssuer(issuer, rule)) return { type: 'oauth/error', error: otherIssuer };
  if (!error) return code ? { type: 'oauth/code', code } : { type: 'oauth/error', error: noCode };
  return { type: 'oauth/error', error: isProviderError(error) ? error : otherError };
}

function* postUntilReceived(deps: Deps, state: string, message: OauthMessage): SagaGenerator<boolean> {
  const channel = deps.broadcast.open(state);
  const { opener } = deps.popup;
  const lines: readonly MessageChannelPort[] = opener ? [channel, scopeToFlow(opener, state)] : [channel];
  try {
    return yield* withChannel(mergeChannels(lines), function* (messages) {
      const { received } = yield* race({
        received: call(waitForResponse, messages),
        posting: call(postRepeatedly, lines, message),
        late: call(waitUntil, deps.clock, deps.clock.now() + responseWithinMs),
      });
      return received === true;
    });
  } finally {
    channel.close();
  }
}

function* waitForResponse(messages: EventChannel<object>): SagaGenerator<true> {
  while (!isReceived(yield* take(messages)));
  return true;
}

function* postRepeatedly(lines: readonly MessageChannelPort[], message: OauthMessage): SagaGenerator<never> {
  for (;;) {
    for (const line of lines) yield* call(line.post, message);
    yield* delay(postEveryMs);
  }
}
