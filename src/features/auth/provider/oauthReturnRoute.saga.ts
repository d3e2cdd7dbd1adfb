import type { Deps } from '@shared/deps';
import { onRoute } from '@shared/routing/onRoute.saga';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call';
import type { SagaGenerator } from 'typed-redux-saga';
import type { ProviderAnswer } from './flowHost';

/** The pop-up's work is fetched by the pop-up alone. */
export function* oauthReturnSaga(deps: Deps): SagaGenerator<void> {
  yield* onRoute('oauthRedirect', function* () {
    // First of all, before even our own code is fetched: code and state must not stay in the address, the history, or
    // a referrer (decisions §7).
    const answer = yield* call(takeFromAddress, deps);
    const { oauthReturn } = yield* call(() => import('./oauthReturn.saga'));
    yield* call(oauthReturn, deps, answer);
  });
}

function* takeFromAddress({
  navigation,
  vault,
}: Pick<Deps, 'navigation' | 'vault'>): SagaGenerator<ProviderAnswer> {
  const { code, state } = vault.get('maskedLocation') ?? {};
  const query = new URLSearchParams(navigation.current().search);
  // Empties `maskedLocation` too, as every change of address does.
  yield* call(navigation.replace, paths.oauthRedirect());
  return { code, state, error: query.get('error') ?? undefined, issuer: query.get('iss') ?? undefined };
}
