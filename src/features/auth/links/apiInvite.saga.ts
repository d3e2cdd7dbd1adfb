import type { Deps, Visit } from '@shared/deps';
import { linkIdIn } from '@shared/routing/linkId';
import { paths } from '@vestibule/contract/paths';
import { callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { put, take, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { confirmOneTimeLink } from './confirmOneTimeLink.saga';
import { apiInviteReceived, copyEnded, copyRequested, linkEntered } from './oneTimeLink.slice';

/**
 * `/secret-key/{hash}`: shows API key and secret once. They exist only in the vault, until the screen is left or the page
 * enters the back/forward cache. See docs/behaviour.md#api-invite.
 */
export function* apiInvite(deps: Deps, { params }: Visit): SagaGenerator<void> {
  yield* put(linkEntered());
  yield* takeLeading(copyRequested, copyValue, deps);
  const hash = linkIdIn(params['hash']);
  if (hash !== null) yield* call(confirmOneTimeLink, deps);
  const result = hash === null ? null : yield* callApi(deps.api.users.apiInvite, hash);
  if (!result?.ok) {
    yield* call(deps.navigation.replace, paths.unauthorized());
    return;
  }
  yield* call(deps.vault.put<'apiInvite'>, 'apiInvite', result.value);
  try {
    yield* put(apiInviteReceived());
    yield* call(untilRestored, deps);
    yield* call(deps.navigation.replace, paths.unauthorized());
  } finally {
    deps.vault.drop('apiInvite');
  }
}

function* untilRestored({ pageLife }: Deps): SagaGenerator<void> {
  yield* withChannel(pageLife.subscribe, function* (events) {
    while ((yield* take(events)) !== 'restored');
  });
}

function* copyValue(
  { clipboard, vault }: Deps,
  { payload: which }: ReturnType<typeof copyRequested>,
): SagaGenerator<void> {
  const held = vault.get('apiInvite');
  // The vault is empty if DevTools shows a past state.
  if (!held) return;
  const copied = yield* call(clipboard.copy, held[which]);
  yield* put(copyEnded({ which, outcome: copied ? 'copied' : 'refused' }));
}
