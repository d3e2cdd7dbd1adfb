import type { Deps } from '@shared/deps';
import type { RawLocation } from '@shared/platform/platform';
import { linkFollowed, locationChanged } from '@shared/routing/location.slice';
import { maskLocation } from '@shared/routing/maskLocation';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { call } from '@shared/sagas/call';
import { put, take, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

type HistoryDeps = Pick<Deps, 'navigation' | 'vault'>;

/**
 * Mirrors the address into the store, secrets masked, from the first one on (decisions §10), and writes followed links
 * to the history. The fragment is left out: the application uses none, and some providers put a token there.
 */
export function* followHistory(deps: HistoryDeps): SagaGenerator<void> {
  yield* takeEvery(linkFollowed, follow, deps);
  yield* withChannel(deps.navigation.subscribe, function* (changes) {
    yield* call(mirror, deps, deps.navigation.current());
    for (;;) yield* call(mirror, deps, yield* take(changes));
  });
}

function* follow(
  { navigation }: HistoryDeps,
  { payload: { to, replace = false } }: ReturnType<typeof linkFollowed>,
): SagaGenerator<void> {
  yield* call(replace ? navigation.replace : navigation.push, to);
}

function* mirror({ vault }: HistoryDeps, raw: RawLocation): SagaGenerator<void> {
  const { pathname, search, secrets } = maskLocation(raw);
  yield* call(vault.put<'maskedLocation'>, 'maskedLocation', secrets);
  yield* put(locationChanged({ pathname, search, key: raw.key }));
}
