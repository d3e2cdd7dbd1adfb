import { sessionAdopted, sessionEnded } from '@features/session';
import type { Deps } from '@shared/deps';
import type { MessageLine, PopupWindow } from '@shared/ports/ports';
import type { SagaMonitor } from 'redux-saga';
import { delay } from 'redux-saga/effects';
import { chunkLoadFailed } from '../crash/crash.slice';

/** Why an event happened, as DevTools shows it in `meta.cause`. `browser`: its history, the page's life, the network. */
export type Cause = 'user' | 'timer' | 'another tab' | 'service' | 'provider window' | 'browser';

/** Tells the cause of each event: whatever came in from outside last, before the event was dispatched. */
export interface Causes {
  /** The same ports, noting what comes in through them. */
  readonly watch: (deps: Deps) => Deps;
  /** Notes the timers of sagas. */
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
      // Marked by the middleware of the sagas; all others are dispatched by screens.
      if (!('@@redux-saga/SAGA_ACTION' in action)) enter(chunkLoadFailed.match(action) ? 'browser' : 'user');
      if (isOfAnotherTab(action)) enter('another tab');
      return current;
    },
  };
}

/** A poll finds what another tab did to the cookies. */
const isOfAnotherTab = (action: object): boolean =>
  sessionAdopted.match(action) || (sessionEnded.match(action) && action.payload.reason === 'missing');

interface CurrentCause {
  readonly enter: (cause: Cause) => void;
  readonly current: () => Cause;
}

function watchPorts(deps: Deps, cause: CurrentCause): Deps {
  const heard = hearing(cause);
  const { navigation, pageLife, broadcast, popup, clock } = deps;
  const line = <Line extends Pick<MessageLine, 'subscribe'>>(from: Line, cause: Cause): Line => ({
    ...from,
    subscribe: heard(from.subscribe, () => cause),
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
  const { auth, users, mfa, password } = deps.api;
  const ofService = <Calls extends object>(calls: Calls) => watchCalls(calls, answering(cause, 'service'));
  const asBefore = answering(cause);
  return {
    ...deps,
    api: {
      ...deps.api,
      auth: ofService(auth),
      users: ofService(users),
      mfa: ofService(mfa),
      password: ofService(password),
    },
    clock: { ...clock, pause: answering(cause, 'timer')(clock.pause) },
    makeOauthSecrets: asBefore(deps.makeOauthSecrets),
    sha256Hex: asBefore(deps.sha256Hex),
    navigation: {
      ...navigation,
      push: moving(navigation.push),
      replace: moving(navigation.replace),
      subscribe: heard(navigation.subscribe, () => (isOurs ? cause.current() : 'browser')),
    },
    pageLife: { ...pageLife, subscribe: heard(pageLife.subscribe, () => 'browser') },
    broadcast: {
      open: (name) =>
        line(broadcast.open(name), name.endsWith('-session') ? 'another tab' : 'provider window'),
    },
    popup: {
      ...popup,
      opener: popup.opener && line(popup.opener, 'provider window'),
      openBlank: () => {
        const opened = popup.openBlank();
        // The browser blocked it.
        if (!opened) cause.enter('browser');
        return opened && watchWindow(line(opened, 'provider window'), cause);
      },
    },
  };
}

/** The same window; what follows when it is found closed has it for its cause. */
const watchWindow = (opened: PopupWindow, { enter }: CurrentCause): PopupWindow => ({
  ...opened,
  isClosed: () => {
    const isClosed = opened.isClosed();
    if (isClosed) enter('provider window');
    return isClosed;
  },
});

/** The same subscription: what the listener does has this cause. */
const hearing =
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

/** The same function; when it has answered, the cause is this one, or again the one that it was called by. */
const answering =
  ({ enter, current }: CurrentCause, cause?: Cause) =>
  <Args extends unknown[], Answer>(run: (...args: Args) => Promise<Answer>) =>
  (...args: Args): Promise<Answer> => {
    const answered = cause ?? current();
    const answer = run(...args);
    // Beside the caller's own: the promise that the caller gets is the port's.
    const note = () => {
      enter(answered);
    };
    answer.then(note, note);
    return answer;
  };

/** The same calls, whose answers have a cause. */
const watchCalls = <Calls extends object>(calls: Calls, answered: ReturnType<typeof answering>): Calls =>
  new Proxy(calls, {
    get: (target, name, receiver) =>
      answered(Reflect.get(target, name, receiver) as (...args: unknown[]) => Promise<unknown>),
  });

/** What a saga waits in: redux-saga's own function, by which the effect is known. */
const waits: unknown = delay(0).payload.fn;

function watchDelays(note: () => void): SagaMonitor {
  const pending = new Set<number>();
  return {
    effectTriggered: ({ effectId, effect }: { effectId: number; effect: unknown }) => {
      if (isWait(effect)) pending.add(effectId);
    },
    effectResolved: (effectId) => {
      if (pending.delete(effectId)) note();
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
