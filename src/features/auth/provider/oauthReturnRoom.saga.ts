import type { Deps } from '@shared/deps';
import { paths } from '@shared/routing/paths';
import type { Room } from '@shared/routing/room';
import { call } from '@shared/sagas/call.saga';
import { lazy } from 'react';
import type { SagaGenerator } from 'typed-redux-saga';
import type { ProviderAnswer } from './flowHost';

/** `/oauth-redirect`, in the provider's window, which alone fetches its work. */
export const oauthReturnRoom: Room = {
  Screen: lazy(async () => ({ default: (await import('./OauthReturn.container')).OauthReturn })),
  *work(deps) {
    // First of all, before even our own code is fetched: code and state must not stay in the address, the history, or
    // a referrer (decisions §7).
    const answer = yield* call(takeFromAddress, deps);
    const { oauthReturn } = yield* call(() => import('./oauthReturn.saga'));
    yield* call(oauthReturn, deps, answer);
  },
};

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
