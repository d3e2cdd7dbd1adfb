import { sessionAdopted, sessionEnded } from '@features/session';
import type { Deps } from '@shared/deps';
import type { MessageChannelPort, PopupWindow } from '@shared/ports/ports';
import type { SagaMonitor } from 'redux-saga';
import { delay } from 'redux-saga/effects';
import { chunkLoadFailed } from '@app/crash/crash.slice';

/**
 * Why an event happened; DevTools shows it as `meta.cause`. `browser` stands for the history, the visibility of the page and
 * the network.
 */
type Cause = 'user' | 'timer' | 'another tab' | 'service' | 'provider window' | 'browser';

/** Finds the cause of each event: the last input from outside before the event was dispatched. */
interface Causes {
  /** Wraps the ports, so that their input is recorded as the cause. */
  readonly watch: (deps: Deps) => Deps;
  /** Records the timers of sagas. */
  readonly monitor: SagaMonitor;
  readonly of: (action: object) => Cause;
}

export function actionCauses(): Causes {
  let current: Cause = 'browser';
  const enter = (cause: Cause) => {
    current = cause;
  };
  return {
    watch: (deps) => watchPorts(deps, { enter, current: () => current }),
    monitor: watchDelays(() => {
      enter('timer');
    }),
    of: (action) => {
      // The saga middleware marks the actions of sagas. Screens dispatch all others.
      if (!('@@redux-saga/SAGA_ACTION' in action)) enter(chunkLoadFailed.match(action) ? 'browser' : 'user');
      if (isOfAnotherTab(action)) enter('another tab');
      return current;
    },
  };
}

/** Whether a poll has found a change that another tab made to the cookies. */
const isOfAnotherTab = (action: object): boolean =>
  sessionAdopted.match(action) || (sessionEnded.match(action) && action.payload.reason === 'missing');

interface CurrentCause {
  readonly enter: (cause: Cause) => void;
  readonly current: () => Cause;
}

function watchPorts(deps: Deps, cause: CurrentCause): Deps {
  const caused = causedSubscribe(cause);
  const { navigation, pageLife, broadcast, popup, clock } = deps;
  const line = <Line extends Pick<MessageChannelPort, 'subscribe'>>(from: Line, cause: Cause): Line => ({
    ...from,
    subscribe: caused(from.subscribe, () => cause),
  });
  // A change of address that a saga caused has the cause of that saga.
  let isOurs = false;
  const moving =
    (move: typeof navigation.push): typeof navigation.push =>
    (...entry) => {
      isOurs = true;
      move(...entry);
      isOurs = false;
    };
  const asBefore = causedCall(cause);
  return {
    ...deps,
    api: watchApi(deps.api, causedCall(cause, 'service')),
    clock: { ...clock, pause: causedCall(cause, 'timer')(clock.pause) },
    makeOauthSecrets: asBefore(deps.makeOauthSecrets),
    sha256Hex: asBefore(deps.sha256Hex),
    navigation: {
      ...navigation,
      push: moving(navigation.push),
      replace: moving(navigation.replace),
      subscribe: caused(navigation.subscribe, () => (isOurs ? cause.current() : 'browser')),
    },
    pageLife: { ...pageLife, subscribe: caused(pageLife.subscribe, () => 'browser') },
    broadcast: {
      open: (name) =>
        // The channels between tabs are named after the prefix of the cookies, those of provider windows after a state.
        line(
          broadcast.open(name),
          name.startsWith(`${deps.config.cookies.prefix}-`) ? 'another tab' : 'provider window',
        ),
    },
    eventStream: watchStream(deps.eventStream, cause),
    popup: {
      ...popup,
      opener: popup.opener && line(popup.opener, 'provider window'),
      openBlank: () => {
        const opened = popup.openBlank();
        // The browser has blocked the window.
        if (!opened) cause.enter('browser');
        return opened && watchWindow(line(opened, 'provider window'), cause);
      },
    },
  };
}

const watchStream = ({ hold, read }: Deps['eventStream'], { enter }: CurrentCause): Deps['eventStream'] => ({
  hold,
  read: (request, listener) =>
    read(request, (event) => {
      enter('service');
      listener(event);
    }),
});

/** Wraps a window, so that it becomes the cause when it has been closed. */
const watchWindow = (opened: PopupWindow, { enter }: CurrentCause): PopupWindow => ({
  ...opened,
  isClosed: () => {
    const isClosed = opened.isClosed();
    if (isClosed) enter('provider window');
    return isClosed;
  },
});

/** Wraps a subscription, so that the events of its listener have this cause. */
const causedSubscribe =
  ({ enter, current }: CurrentCause) =>
  <T>(
    subscribe: (listener: (event: T) => void) => () => void,
    causeOf: () => Cause,
  ): ((listener: (event: T) => void) => () => void) =>
  (listener) =>
    subscribe((event) => {
      const before = current();
      enter(causeOf());
      listener(event);
      enter(before);
    });

/**
 * Wraps a function. When its promise settles, the cause becomes the given one, or without one the cause at the time of the
 * call.
 */
const causedCall =
  ({ enter, current }: CurrentCause, cause?: Cause) =>
  <Args extends unknown[], Value>(run: (...args: Args) => Promise<Value>) =>
  (...args: Args): Promise<Value> => {
    const settledCause = cause ?? current();
    const promise = run(...args);
    // The caller gets the promise of the port itself.
    const enterSettled = () => {
      enter(settledCause);
    };
    promise.then(enterSettled, enterSettled);
    return promise;
  };

/** Wraps the calls of every group. */
function watchApi(api: Deps['api'], wrap: ReturnType<typeof causedCall>): Deps['api'] {
  const { warmUp, ...groups } = api;
  const watched = Object.entries<object>(groups).map(([name, calls]) => [name, watchCalls(calls, wrap)]);
  // TypeScript cannot express that each group keeps its calls.
  return { warmUp, ...(Object.fromEntries(watched) as typeof groups) };
}

/** Wraps all calls of an object. */
const watchCalls = <Calls extends object>(calls: Calls, wrap: ReturnType<typeof causedCall>): Calls =>
  new Proxy(calls, {
    get: (target, name, receiver) =>
      wrap(Reflect.get(target, name, receiver) as (...args: unknown[]) => Promise<unknown>),
  });

/** The function that a `delay` effect of redux-saga calls. It identifies the effect. */
const waits: unknown = delay(0).payload.fn;

function watchDelays(onEnd: () => void): SagaMonitor {
  const pending = new Set<number>();
  return {
    effectTriggered: ({ effectId, effect }: { effectId: number; effect: unknown }) => {
      if (isWait(effect)) pending.add(effectId);
    },
    effectResolved: (effectId) => {
      if (pending.delete(effectId)) onEnd();
    },
    effectCancelled: (effectId) => void pending.delete(effectId),
  };
}

const isWait = (effect: unknown): boolean =>
  typeof effect === 'object' &&
  effect !== null &&
  'payload' in effect &&
  typeof effect.payload === 'object' &&
  effect.payload !== null &&
  'fn' in effect.payload &&
  effect.payload.fn === waits;
