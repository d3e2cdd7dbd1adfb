import { challengeChunk, passwordSubmitted, providerCodeReceived } from '@features/auth';
import { createChunk } from '@shared/chunk';
import type { Deps, ScreenModule } from '@shared/deps';
import type { RawLocation } from '@shared/ports/ports';
import { linkFollowed, locationChanged } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import type { Task } from 'redux-saga';
import { cancel, fork, put, select, take, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { maskLocation } from './maskLocation';
import { checkAccessAtEnd, checkAccess } from './checkAccess.saga';
import { findRoute, needsFlows, type RouteMatch } from './routes';
import { selectAreFlowsRunning } from './flows/flows.slice';
import { injectLate } from './rootReducer';
import { supervise } from './crash/supervise.saga';
import { sayIfSlow } from './wait.saga';

/**
 * Runs the table of screens: mirrors each address into the store, checks access, and runs the screen's saga until another
 * address is entered. The saga follows the address, never a mount: a jump in DevTools mounts a screen again and must not start
 * its saga.
 */
export function* runRoutes(deps: Deps): SagaGenerator<void> {
  yield* takeEvery(linkFollowed, follow, deps);
  yield* fork(checkAccessAtEnd, deps);
  yield* takeEvery([passwordSubmitted, providerCodeReceived], prefetchScreens);
  yield* withChannel(deps.navigation.subscribe, function* (changes) {
    let visit: { readonly of: string; readonly task: Task } | null = null;
    for (let address = deps.navigation.current(); ; address = yield* take(changes)) {
      const match = findRoute(address.pathname, deps.features);
      const here = JSON.stringify(match && [match.name, match.params]);
      yield* call(mirror, deps, address, match);
      if (visit && visit.of !== here) {
        yield* cancel(visit.task);
        visit = null;
      }
      // The access check may have changed the address. Then the saga of the former address must not start.
      const isHere = (yield* call(checkAccess, deps)) && address.key === deps.navigation.current().key;
      if (match && isHere) visit ??= { of: here, task: yield* call(enter, deps, match) };
    }
  });
}

function* follow(
  { navigation }: Deps,
  { payload: { to } }: ReturnType<typeof linkFollowed>,
): SagaGenerator<void> {
  yield* call(navigation.push, to);
}

/**
 * Writes the address into the store without its secrets (docs/behaviour.md#addresses-in-the-store). The fragment is left out:
 * the application uses none, and some providers put a token there.
 */
function* mirror({ vault }: Deps, address: RawLocation, match: RouteMatch | null): SagaGenerator<void> {
  const { pathname, search, secrets } = maskLocation(address);
  yield* call(vault.put<'maskedLocation'>, 'maskedLocation', secrets);
  yield* put(locationChanged({ route: match?.name ?? null, pathname, search, key: address.key }));
}

const flowsChunk = createChunk(() => import(/* webpackChunkName: "screens" */ './flows/runFlows.saga'));

/**
 * Loads the screens that may follow a sign-in while its response is awaited. A failed load is repeated when the screen opens.
 */
async function prefetchScreens(): Promise<void> {
  await Promise.allSettled([flowsChunk.load(), challengeChunk.load()]);
}

/** Loads a screen. The first screen that needs the flows starts them, in the same turn as its own saga. */
function* load(deps: Deps, { name, route }: RouteMatch): SagaGenerator<ScreenModule> {
  if (!needsFlows(route)) return route.screen;
  // The screen is in the same chunk as the late part of its feature.
  const feature = deps.features.find(({ routes }) => Object.hasOwn(routes ?? {}, name));
  if (yield* select(selectAreFlowsRunning)) {
    const screen = yield* call(route.chunk.load);
    if (feature) yield* call(injectLate, feature);
    return screen;
  }
  // The API client, the flows and the screen are loaded in parallel.
  if (route.access !== 'public') yield* fork(deps.api.warmUp);
  const [{ runFlows }, screen] = yield* call(() => Promise.all([flowsChunk.load(), route.chunk.load()]));
  if (feature) yield* call(injectLate, feature);
  yield* call(runFlows, deps);
  return screen;
}

function* enter(deps: Deps, match: RouteMatch): SagaGenerator<Task> {
  return yield* call(supervise, deps, match.name, function* () {
    const { Screen, saga } = yield* call(() => sayIfSlow('screen', () => load(deps, match)));
    if (Screen.load) yield* fork(sayIfViewIsSlow, Screen.load);
    if (saga) yield* call(saga, deps, { params: match.params });
  });
}

/**
 * Shows a progress sign if the view of a screen loads slowly. A failure is ignored here, because rendering the view reports
 * it.
 */
function sayIfViewIsSlow(loadView: () => Promise<unknown>): SagaGenerator<unknown> {
  return sayIfSlow('screen', () => call(() => Promise.allSettled([loadView()])));
}
