import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { call } from '@shared/sagas/call';
import { fork } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** Root of the password feature. Its work is fetched when one of its screens is entered. */
export function* passwordSaga(deps: Deps): SagaGenerator<void> {
  yield* fork(watchForgot, deps);
  yield* fork(watchResetByLink, deps);
  yield* fork(watchResetByQuery, deps);
  yield* fork(watchActivate, deps);
  yield* fork(watchChange, deps);
}

const loadForgot = () => import('./forgot/forgot.saga');
const loadRoutes = () => import('./save/newPasswordRoutes.saga');

function* watchForgot(deps: Deps): SagaGenerator<void> {
  yield* onRoute('forgotPassword', function* () {
    const { forgot } = yield* call(loadForgot);
    yield* call(forgot, deps);
  });
}

function* watchResetByLink(deps: Deps): SagaGenerator<void> {
  yield* onRoute('resetPassword', function* () {
    const { resetByLink } = yield* call(loadRoutes);
    yield* call(resetByLink, deps);
  });
}

function* watchResetByQuery(deps: Deps): SagaGenerator<void> {
  yield* onRoute('reset', function* () {
    const { resetByQuery } = yield* call(loadRoutes);
    yield* call(resetByQuery, deps);
  });
}

function* watchActivate(deps: Deps): SagaGenerator<void> {
  yield* onRoute('activate', function* () {
    const { activate } = yield* call(loadRoutes);
    yield* call(activate, deps);
  });
}

function* watchChange(deps: Deps): SagaGenerator<void> {
  yield* onRoute('changePassword', function* () {
    const { changePassword } = yield* call(loadRoutes);
    yield* call(changePassword, deps);
  });
}
