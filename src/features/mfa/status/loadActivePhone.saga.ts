import { readAsBearer } from '@features/session';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { activePhoneLoaded } from './activePhone.slice';
import { lastFourOf } from './lastFour';

type PhoneDeps = Pick<Deps, 'api' | 'clock' | 'config' | 'cookies' | 'log' | 'notes'>;

/** Asks which phone text messages go to. A failure is logged only (specification §8): no screen depends on it. */
export function* loadActivePhone(deps: PhoneDeps): SagaGenerator<void> {
  const answer = yield* readAsBearer(deps, async (token) => await deps.api.mfa.authyInfo(token));
  if (!answer) return;
  if (!answer.ok) {
    yield* call(deps.log.warn, 'authy-info failed', { kind: answer.error.kind });
    return;
  }
  const lastFour = lastFourOf(answer.value.phoneNumber);
  if (lastFour !== null) yield* put(activePhoneLoaded(lastFour));
}
