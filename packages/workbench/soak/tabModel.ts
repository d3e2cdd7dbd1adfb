import { checkAccessAtEnd } from '@app/checkAccess.saga';
import { combineReducers, configureStore, isAnyOf, type Middleware } from '@reduxjs/toolkit';
import {
  logoutRequested,
  restoreSession,
  sessionEnded,
  sessionReducer,
  sessionRestored,
  sessionSaga,
  sessionStarted,
  startSession,
  type SessionEnd,
} from '@features/session';
import { authCalls } from '@shared/api/liveApi';
import type { Http } from '@shared/api/http';
import type { TokenPair } from '@shared/api/decoders';
import type { Timing } from '@vestibule/client/hedgedRequest';
import type { Deps } from '@shared/deps';
import { createLease } from '@vestibule/client/lease';
import type { Clock, Locks } from '@shared/ports/ports';
import { createVault } from '@shared/ports/vault';
import createSagaMiddleware from 'redux-saga';
import { testConfig } from '../../../__tests__/support/builders';
import type { FakeCookieJar } from '@vestibule/client/testing/fakeCookieJar';
import { createFakeNavigation } from '../../../__tests__/support/fakeNavigation';
import {
  createFakeStorage,
  createFakeLocks,
  createFakeLog,
  createFakePageLife,
  createFakeParentFrame,
  type FakePageLife,
} from '../../../__tests__/support/fakePorts';
import type { Seeded } from '@vestibule/contract/testing/seeded';
import type { TimerOwner, VirtualTime } from './virtualTime';

/** What the tabs of one origin share. */
export interface Origin {
  readonly heldLocks: Set<string>;
  readonly broadcast: Deps['broadcast'];
  readonly storage: Deps['storage']['browser'];
}

/** What the tabs of one browser share. */
export interface SharedOutside extends Origin {
  readonly time: VirtualTime;
  readonly chance: Seeded;
  readonly jar: FakeCookieJar;
  /** Without a lock manager the lease cookie alone is used. */
  readonly hasLocks: boolean;
  /** Wall clock of the computer, ms since the epoch. */
  readonly wallClock: () => number;
  /** The grace period of the configuration, s. */
  readonly graceSeconds: number;
  readonly sendRefresh: (owner: TimerOwner, refresh: string, timing: Timing) => Promise<TokenPair>;
}

/** A tab of the page or of an application. */
export interface Tab {
  readonly owner: TimerOwner;
  readonly pageLife: FakePageLife;
  readonly signOut: () => void;
  readonly close: () => void;
}

/** A tab of the page: the real session sagas and the real reducers over fake ports. */
export interface TabModel extends Tab {
  readonly signIn: (tokens: TokenPair) => void;
  /** How many actions have reached the reducers. */
  readonly dispatched: () => number;
  readonly crashes: () => number;
}

const isTurn = isAnyOf(sessionStarted, sessionRestored);

/** Placeholder where no call is expected. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the caller says what it replaces
const unused = <T extends object>(name: string): T =>
  new Proxy({} as T, {
    get: (_target, member) => {
      throw new Error(`No code was expected to use ${name}.${String(member)}`);
    },
  });

export function openTab(shared: SharedOutside, onEnd: (reason: SessionEnd) => void): TabModel {
  const { time, chance, jar } = shared;
  const owner: TimerOwner = { hiddenSince: time.now() };
  const pageLife = createFakePageLife();
  const clock: Clock = { now: shared.wallClock, monotonic: time.awake, pause: (ms) => time.pause(owner, ms) };
  const deps: Deps = {
    ...unusedPorts,
    api: {
      ...unused<Deps['api']>('api'),
      auth: authCalls(httpOf(shared, owner), { clock, refreshGraceSeconds: shared.graceSeconds }),
    },
    broadcast: hearingIn(shared, owner),
    build: '',
    clock,
    config: testConfig(),
    report: () => undefined,
    features: [],
    cookies: jar,
    locks: locksOf(shared, clock, pageLife),
    log: createFakeLog(),
    navigation: createFakeNavigation('/account-settings', 'login.payments.localhost:4000'),
    storage: { tab: createFakeStorage(), browser: shared.storage },
    pageLife,
    parentFrame: createFakeParentFrame('none'),
    random: chance.next,
    vault: createVault(),
  };
  let dispatched = 0;
  let crashes = 0;
  const sagas = createSagaMiddleware({
    onError: () => {
      crashes += 1;
    },
  });
  const notice: Middleware = () => (next) => (action) => {
    dispatched += 1;
    if (isTurn(action)) time.settleNext();
    if (sessionEnded.match(action)) onEnd(action.payload.reason);
    return next(action);
  };
  const store = configureStore({
    reducer: combineReducers({ session: sessionReducer }),
    middleware: (defaults) =>
      defaults({ thunk: false, serializableCheck: false, immutableCheck: false }).concat(notice, sagas),
    devTools: false,
  });
  const tasks = time.inTab(owner, () => [
    sagas.run(sessionSaga, deps),
    sagas.run(checkAccessAtEnd, deps),
    sagas.run(restoreSession, deps, false),
  ]);
  return {
    owner,
    pageLife,
    signIn: (tokens) => void time.inTab(owner, () => sagas.run(startSession, deps, tokens)),
    signOut: () => void time.inTab(owner, () => store.dispatch(logoutRequested())),
    dispatched: () => dispatched,
    crashes: () => crashes,
    close: () => {
      for (const task of tasks) task.cancel();
    },
  };
}

/** The transport of a tab, which makes only the refresh call. */
function httpOf(shared: SharedOutside, owner: TimerOwner): Http {
  return {
    ...unused<Http>('http'),
    post: async (_path, { body, ...timing }) =>
      (await shared.sendRefresh(
        owner,
        (body as { readonly refresh: string }).refresh,
        timing as Timing,
      )) as never,
  };
}

/** A tab handles its own events. */
function hearingIn({ broadcast, time }: SharedOutside, owner: TimerOwner): Deps['broadcast'] {
  return {
    open: (name) => {
      const line = broadcast.open(name);
      return {
        ...line,
        subscribe: (listener) =>
          line.subscribe((message) => {
            time.inTab(owner, () => {
              listener(message);
            });
          }),
      };
    },
  };
}

function locksOf(shared: SharedOutside, clock: Clock, pageLife: FakePageLife): Locks {
  const { jar, chance } = shared;
  const onLeave = (listener: () => void) =>
    pageLife.subscribe((event) => {
      if (event === 'left') listener();
    });
  const lease = createLease(jar, clock, onLeave, chance.next);
  if (!shared.hasLocks) return { tryRun: lease };
  const webLocks = createFakeLocks(shared.heldLocks, pageLife);
  return {
    tryRun: async (name, work) => {
      const locked = await webLocks.tryRun(name, () => lease(name, work));
      return locked.held ? locked.value : locked;
    },
  };
}

const unusedPorts = {
  clipboard: unused<Deps['clipboard']>('clipboard'),
  documents: () => Promise.reject(new Error('Nothing was expected to be saved or printed')),
  eventStream: unused<Deps['eventStream']>('eventStream'),
  expireSessionCookies: () => Promise.resolve(),
  fillTextedCode: () => Promise.resolve(false),
  makeOauthSecrets: () => Promise.reject(new Error('No user was expected to sign in through a provider')),
  oauthStates: unused<Deps['oauthStates']>('oauthStates'),
  passkeys: () => Promise.reject(new Error('No passkey was expected')),
  popup: unused<Deps['popup']>('popup'),
  sendReport: () => Promise.resolve(),
  sha256Hex: () => Promise.resolve(null),
  storageAccess: () => Promise.reject(new Error('No user was expected to open a frame')),
};
