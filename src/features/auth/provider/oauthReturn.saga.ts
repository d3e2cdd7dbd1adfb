import type { Deps } from '@shared/deps';
import type { AppConfig } from '@shared/platform/appConfig';
import type { MessageLine, Provider } from '@shared/platform/platform';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import type { EventChannel } from 'redux-saga';
import { delay, put, race, take, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { bothLines } from './bothLines';
import { flowHostAddress, type ProviderAnswer } from './flowHost';
import { flowLine } from './flowLine';
import { isReceived, noCode, otherError, otherIssuer, type OauthMessage } from './oauthMessage';
import { oauthReturnEnded, oauthWindowCloseRequested } from './oauthReturn.slice';

/** The code is told again and again, ms, so that an opener which was asleep hears it (decisions §7). */
const tellEveryMs = 500;
/** After which nobody is expected to answer, ms. */
const answerWithinMs = 10_000;

type ReturnDeps = Pick<Deps, 'broadcast' | 'clock' | 'config' | 'navigation' | 'oauthStates' | 'popup'>;

/**
 * `/oauth-redirect`, inside the pop-up (specification §2; decisions §7): compares the state with the stored one, hands
 * the code to the opener and closes the window when it answers. A state that is not ours hands over nothing; one of a
 * supplier host is passed on to it.
 */
export function* oauthReturn(deps: ReturnDeps, answer: ProviderAnswer): SagaGenerator<void> {
  const flowHost = flowHostAddress(answer, deps.navigation.host(), deps.config);
  if (flowHost) {
    yield* call(deps.navigation.leave, flowHost);
    return;
  }
  yield* takeEvery(oauthWindowCloseRequested, closeWindow, deps);
  const { state = '' } = answer;
  const provider = takeState(deps, state);
  if (provider) {
    const answered = yield* call(handOver, deps, state, messageOf(answer, deps.config[provider]));
    yield* put(oauthReturnEnded());
    if (!answered) return;
  } else {
    yield* put(oauthReturnEnded());
  }
  yield* call(deps.popup.closeSelf);
}

/** One use: whichever provider answers under it, the state is over. */
function takeState({ oauthStates }: ReturnDeps, state: string): Provider | null {
  const provider = oauthStates.read(state);
  if (provider) oauthStates.remove(state);
  return provider;
}

type IssuerRule = AppConfig[Provider];

/** Whether a provider that names itself is the one that the state was made for (RFC 9207; RFC 9700 §4.4, mix-up). */
function isIssuer(named: string, { issuer, authorizationUrl }: IssuerRule): boolean {
  if (issuer !== undefined) return named === issuer;
  const { origin } = new URL(authorizationUrl);
  return named === origin || named.startsWith(`${origin}/`);
}

function* closeWindow({ popup }: ReturnDeps): SagaGenerator<void> {
  yield* call(popup.closeSelf);
}

/** Only the provider that was asked is believed. Then the error first: a code beside one is none to rely on. */
function messageOf({ code, error, issuer }: ProviderAnswer, rule: IssuerRule): OauthMessage {
  if (issuer !== undefined && !isIssuer(issuer, rule)) return { type: 'oauth/error', error: otherIssuer };
  if (!error) return code ? { type: 'oauth/code', code } : { type: 'oauth/error', error: noCode };
  const isFit = /^[a-z_]{1,64}$/.test(error) && error !== noCode && error !== otherIssuer;
  return { type: 'oauth/error', error: isFit ? error : otherError };
}

function* handOver(deps: ReturnDeps, state: string, message: OauthMessage): SagaGenerator<boolean> {
  const channel = deps.broadcast.open(state);
  const { opener } = deps.popup;
  const lines: readonly MessageLine[] = opener ? [channel, flowLine(opener, state)] : [channel];
  try {
    return yield* withChannel(bothLines(lines), function* (answers) {
      const { answered } = yield* race({
        answered: call(awaitAnswer, answers),
        telling: call(tellOften, lines, message),
        late: call(waitUntil, deps.clock, deps.clock.now() + answerWithinMs),
      });
      return answered === true;
    });
  } finally {
    channel.close();
  }
}

function* awaitAnswer(answers: EventChannel<object>): SagaGenerator<true> {
  while (!isReceived(yield* take(answers)));
  return true;
}

function* tellOften(lines: readonly MessageLine[], message: OauthMessage): SagaGenerator<never> {
  for (;;) {
    for (const line of lines) yield* call(line.post, message);
    yield* delay(tellEveryMs);
  }
}
