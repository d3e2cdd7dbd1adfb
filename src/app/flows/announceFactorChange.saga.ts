import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { sections } from '../account-settings/sections';

/**
 * With the extension `sessions`, offers users who are signed in elsewhere to end those sessions.
 *
 * @param route - the screen that shows the change
 */
export function* announceFactorChange(
  { config }: Deps,
  route: 'accountSettings' | 'mfaActivated',
): SagaGenerator<void> {
  if (!config.extensions.includes('sessions')) return;
  const { factorsChanged } = yield* call(sections.sessions.load);
  if (factorsChanged) yield* put(factorsChanged({ route }));
}
