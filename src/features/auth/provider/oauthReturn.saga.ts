import { componentIn, createChunk } from '@shared/chunk';
import type { Deps, ScreenModule } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { ProviderResponse } from './supplierReturn';

const postCodeChunk = createChunk(
  () => import(/* webpackChunkName: "oauth-return" */ './postCodeToOpener.saga'),
);

/**
 * `/oauth-redirect`, in the provider's window. Removes code and state from the address before anything is loaded, because
 * they must not stay in the history or reach a referrer. See docs/behaviour.md#return-point.
 */
function* oauthReturn(deps: Deps): SagaGenerator<void> {
  const response = yield* call(takeFromAddress, deps);
  const { postCodeToOpener } = yield* call(postCodeChunk.load);
  yield* call(postCodeToOpener, deps, response);
}

function* takeFromAddress({ navigation, vault }: Deps): SagaGenerator<ProviderResponse> {
  const { code, state } = vault.get('maskedLocation') ?? {};
  const query = new URLSearchParams(navigation.current().search);
  // This change of address also empties `maskedLocation` of the vault.
  yield* call(navigation.replace, paths.oauthRedirect());
  return { code, state, error: query.get('error') ?? undefined, issuer: query.get('iss') ?? undefined };
}

/** `/oauth-redirect`. Only the provider's window loads its screen. */
export const oauthReturnScreen: ScreenModule = {
  Screen: componentIn(
    createChunk(() => import(/* webpackChunkName: "oauth-return" */ './OauthReturn.container')),
    ({ OauthReturn }) => OauthReturn,
  ),
  saga: oauthReturn,
};
