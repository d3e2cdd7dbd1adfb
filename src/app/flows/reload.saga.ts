import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call';
import { takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { reloadRequested } from '../crash.slice';

/** The one way on from the fallback message; on its own, so that no other crash takes it along. */
export function* reload({ navigation }: Pick<Deps, 'navigation'>): SagaGenerator<void> {
  yield* takeLeading(reloadRequested, function* () {
    yield* call(navigation.reload);
  });
}
