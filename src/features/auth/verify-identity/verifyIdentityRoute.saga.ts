import { readSession } from '@features/session';
import type { Deps } from '@shared/deps';
import { matchRoute } from '@shared/routing/matchRoute';
import { onRoute } from '@shared/routing/onRoute.saga';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import { fork } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { VerificationPurpose } from './verification.slice';

/** The screen's work is fetched by those who come to it. */
export function* verifyIdentitySaga(deps: Deps): SagaGenerator<void> {
  yield* fork(watchChangeVerify, deps);
  yield* onRoute('askPassword', function* () {
    const purpose = purposeOf(deps.navigation.current().pathname);
    if (!purpose) {
      yield* call(deps.navigation.replace, paths.accountSettings());
      return;
    }
    const { verifyIdentity } = yield* call(loadVerifyIdentity);
    yield* call(verifyIdentity, deps, purpose);
  });
}

const loadVerifyIdentity = () => import('./verifyIdentity.saga');

/** On the way to a new password: for those who have one (decisions §9). */
function* watchChangeVerify(deps: Deps): SagaGenerator<void> {
  yield* onRoute('changeVerify', function* () {
    const stored = readSession(deps);
    if (stored.kind === 'present' && stored.claims.method !== 'basic') {
      yield* call(deps.navigation.replace, paths.accountSettings());
      return;
    }
    const { verifyIdentity } = yield* call(loadVerifyIdentity);
    yield* call(verifyIdentity, deps, 'changePassword');
  });
}

/** `enable` and `disable` are the values that are used (specification §2). */
function purposeOf(pathname: string): Extract<VerificationPurpose, 'enable' | 'disable'> | null {
  const status = matchRoute(pathname)?.params['authystatus'];
  return status === 'enable' || status === 'disable' ? status : null;
}
