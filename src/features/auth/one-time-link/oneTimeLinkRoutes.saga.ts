import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { call } from '@shared/sagas/call';
import { fork } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** The one-time links' work is fetched by those who open one. */
export function* oneTimeLinksSaga(deps: Deps): SagaGenerator<void> {
  yield* fork(watchMagicLink, deps);
  yield* fork(watchApiInvite, deps);
}

function* watchMagicLink(deps: Deps): SagaGenerator<void> {
  yield* onRoute('magicLink', function* () {
    const { magicLink } = yield* call(() => import('../magic-link/magicLink.saga'));
    yield* call(magicLink, deps);
  });
}

function* watchApiInvite(deps: Deps): SagaGenerator<void> {
  yield* onRoute('secretKey', function* () {
    const { apiInvite } = yield* call(() => import('../api-invite/apiInvite.saga'));
    yield* call(apiInvite, deps);
  });
}
