import {
  accountChanged,
  clearSession,
  endSession,
  readSession,
  sessionAdopted,
  sessionEndAnnounced,
  sessionRefreshed,
  type PresentSession,
} from '@features/session';
import type { Deps } from '@shared/deps';
import type { MessageChannelPort, ServerEvent } from '@shared/ports/ports';
import { selectLocation } from '@shared/routing/location.slice';
import { bearerRefused } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import {
  decideEnd,
  endReasons,
  failuresAfter,
  waitAfter,
  type EndReason,
} from '@vestibule/client/eventRules';
import { channel, type Channel, type EventChannel } from 'redux-saga';
import { delay, fork, put, race, select, take, takeLatest } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import * as v from 'valibot';
import { catchUp } from './catchUp.saga';
import { untilUnused } from './untilUnused.saga';

/** A little longer than the message about a saved password is shown, ms. */
const savedPasswordMs = 1800;

/** The other tabs of a user: the channel to them, and their messages since the page opened. */
interface OtherTabs {
  readonly uid: string;
  readonly line: MessageChannelPort;
  readonly heard: EventChannel<object>;
}

/** `versions` reports the version of the account at the beginning of each stream. */
type Listening = Deps & OtherTabs & { readonly versions: Channel<string> };

/**
 * Handles the live events of a signed-in tab (docs/behaviour.md#live-events): one tab of the origin reads the stream and
 * informs the others.
 */
export function* liveEvents(deps: Deps, others: OtherTabs): SagaGenerator<void> {
  const listening = { ...deps, ...others, versions: channel<string>() };
  yield* takeLatest(listening.versions, catchUp, deps);
  yield* fork(hearOtherTabs, listening);
  yield* call(readWhileUsed, listening);
}

function* readWhileUsed(deps: Listening): SagaGenerator<void> {
  yield* withChannel(deps.pageLife.subscribe, function* (life) {
    for (;;) {
      while (!deps.pageLife.isVisible()) yield* take(life);
      yield* race({ stream: call(followUnderLock, deps), unused: call(untilUnused, deps.clock, life) });
    }
  });
}

/** Waits for the lock that the tabs of the origin share, and releases it when this saga ends. */
function* followUnderLock(deps: Listening): SagaGenerator<void> {
  const leaving = new AbortController();
  try {
    const lock = `${deps.config.cookies.prefix}-events`;
    const isHeld = yield* call(deps.eventStream.hold, lock, leaving.signal);
    if (isHeld) yield* call(follow, deps);
    // Without Web Locks this never continues, because each tab would have a stream of its own.
    else yield* call(() => new Promise<void>(() => undefined));
  } finally {
    leaving.abort();
  }
}

/** Opens a stream with the token of the cookie, and another one after the end of each. A refused token is not sent again. */
function* follow(deps: Listening): SagaGenerator<void> {
  let failures = 0;
  let refused = '';
  // Only the first refusal in a row causes a refresh of a young token, because a proxy may refuse every stream.
  let isFirstRefusal = true;
  for (;;) {
    const stored = readSession(deps);
    if (stored.kind !== 'present' || stored.tokens.token === refused) {
      yield* take([sessionRefreshed, sessionAdopted]);
      continue;
    }
    const openedAt = deps.clock.monotonic();
    const status = yield* call(readStream, deps, stored);
    if (status === 401) {
      refused = stored.tokens.token;
      yield* call(waitForSavedPassword, 'password-changed');
      yield* put(bearerRefused(isFirstRefusal ? 'sessionEnd' : undefined));
      isFirstRefusal = false;
      continue;
    }
    isFirstRefusal ||= status === 200;
    failures = failuresAfter(failures, status, deps.clock.monotonic() - openedAt);
    yield* delay(waitAfter(failures, deps.random()));
  }
}

type Heard = { readonly event: ServerEvent } | { readonly status: number };

/** @returns the status with which the stream ended */
function* readStream(deps: Listening, session: PresentSession): SagaGenerator<number> {
  const { config, eventStream } = deps;
  const known = [session.tokens.token];
  const subscribe = (listener: (heard: Heard) => void) => {
    const leaving = new AbortController();
    const request = {
      url: `${config.serviceUrl}/auth/v1/events`,
      bearer: session.tokens.token,
      signal: leaving.signal,
    };
    void eventStream
      .read(request, (event) => {
        listener({ event });
      })
      // The chunk is missing.
      .catch(() => 0)
      .then((status) => {
        listener({ status });
      });
    return () => {
      leaving.abort();
    };
  };
  return yield* withChannel(subscribe, function* (stream) {
    for (;;) {
      const { heard } = yield* race({ heard: take(stream), refreshed: take(sessionRefreshed) });
      if (heard && 'status' in heard) return heard.status;
      if (heard) yield* call(react, deps, heard.event, { uid: session.claims.uid, known });
      else {
        // A token that this tab refreshed belongs to the same session. One that another tab wrote may not.
        const stored = readSession(deps);
        if (stored.kind === 'present') known.push(stored.tokens.token);
      }
    }
  });
}

const endReason = v.picklist(endReasons);
const endedEvent = v.pipe(v.string(), v.parseJson(), v.object({ reason: endReason }));
const changedEvent = v.pipe(v.string(), v.parseJson(), v.object({ what: v.array(v.string()) }));

function* react(
  deps: Listening,
  { name, data }: ServerEvent,
  { uid, known }: { readonly uid: string; readonly known: readonly string[] },
): SagaGenerator<void> {
  const { line, versions } = deps;
  if (name === 'opened') {
    line.post({ uid, version: data });
    versions.put(data);
    return;
  }
  if (name === 'account-changed') {
    const changed = v.safeParse(changedEvent, data);
    if (!changed.success) return;
    line.post({ uid, ...changed.output });
    yield* put(accountChanged(changed.output));
  }
  if (name !== 'session-ended') return;
  const parsed = v.safeParse(endedEvent, data);
  if (!parsed.success) return;
  const ended = parsed.output;
  yield* call(waitForSavedPassword, ended.reason);
  const stored = readSession(deps);
  const decision = decideEnd(stored.kind === 'present' ? stored : null, uid, known);
  if (decision === 'ended') {
    clearSession(deps);
    line.post({ uid, ...ended });
    yield* call(end, deps, ended.reason);
  } else if (decision === 'doubted') {
    line.post({ uid, ...ended });
    yield* put(sessionEndAnnounced(ended));
    yield* put(bearerRefused('sessionEnd'));
  }
}

/** The page that changes the password ends the session itself, after its message. */
function* waitForSavedPassword(reason: EndReason): SagaGenerator<void> {
  const { route } = yield* select(selectLocation);
  if (reason === 'password-changed' && route === 'changePassword') yield* delay(savedPasswordMs);
}

/** Must come last, because the end of the session cancels this saga. */
function* end(deps: Deps, reason: EndReason): SagaGenerator<void> {
  yield* put(sessionEndAnnounced({ reason }));
  yield* call(endSession, deps, 'missing');
}

/** A message from the tab with the stream to the others. If it has neither reason nor version, the account has changed. */
const message = v.object({
  uid: v.string(),
  version: v.optional(v.string()),
  reason: v.optional(endReason),
  what: v.optional(v.array(v.string()), []),
});

function* hearOtherTabs(deps: Listening): SagaGenerator<void> {
  for (;;) {
    const { success, output } = v.safeParse(message, yield* take(deps.heard));
    if (!success || output.uid !== deps.uid) continue;
    if (output.version !== undefined) {
      deps.versions.put(output.version);
      continue;
    }
    if (output.reason === undefined) {
      yield* put(accountChanged({ what: output.what }));
      continue;
    }
    yield* call(waitForSavedPassword, output.reason);
    if (readSession(deps).kind === 'none') yield* call(end, deps, output.reason);
    else yield* put(sessionEndAnnounced({ reason: output.reason }));
  }
}
