import { goToSignOn } from '@features/session';
import type { Deps } from '@shared/deps';
import { put, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { activePhoneRequested } from '../status/activePhone.slice';
import { methodOf } from './methodOf';
import { setupSignInRequested } from './setupSignInRequested';

/** The set-up is complete (specification §2): asks which phone it is about, and offers the way on. */
export function* activated(
  deps: Pick<Deps, 'api' | 'config' | 'cookies' | 'navigation' | 'parentFrame' | 'vault'>,
): SagaGenerator<void> {
  yield* takeLeading(setupSignInRequested, goToSignOn, deps);
  if (methodOf(deps.navigation.current().search) === 'sms') yield* put(activePhoneRequested());
}
