import type { Deps } from '@shared/deps';
import type { RawLocation } from '@shared/platform/platform';
import { locationChanged } from '@shared/routing/location.slice';
import { maskLocation } from '@shared/routing/maskLocation';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { call } from '@shared/sagas/call';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

type HistoryDeps = Pick<Deps, 'navigation' | 'vault'>;

/** Mirrors the address into the store, secrets masked, from the first one on (decisions §10). */
export function* followHistory(deps: HistoryDeps): SagaGenerator<void> {
  yield* withChannel(deps.navigation.subscribe, function* (changes) {
    yield* call(mirror, deps, deps.navigation.current());
    for (;;) yield* call(mirror, deps, yield* take(changes));
  });
}

function* mirror({ vault }: HistoryDeps, raw: RawLocation): SagaGenerator<void> {
  const { pathname, search, secrets } = maskLocation(raw);
  yield* call(vault.put<'maskedLocation'>, 'maskedLocation', secrets);
  yield* put(locationChanged({ pathname, search, hash: raw.hash, key: raw.key }));
}
