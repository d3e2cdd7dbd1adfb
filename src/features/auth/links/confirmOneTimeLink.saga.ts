import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { needsPress } from '@shared/sagas/needsPress.saga';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { linkGateShown, linkOpened } from './oneTimeLink.slice';

/** Returns when a one-time link may be used. */
export function* confirmOneTimeLink(deps: Deps): SagaGenerator<void> {
  if (!(yield* call(needsPress, deps))) return;
  yield* put(linkGateShown());
  yield* take(linkOpened);
}
