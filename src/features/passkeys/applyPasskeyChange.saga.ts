import { readBearer } from '@features/session';
import type { ApiError } from '@shared/api/apiError';
import type { Deps, Purpose } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { announceFactorChange } from '@shared/sagas/announceFactorChange.saga';
import { askBrowser } from '@shared/sagas/askBrowser.saga';
import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import type * as contract from '@vestibule/contract/schema';
import { paths } from '@vestibule/contract/paths';
import { put, race, select, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { isUnknown, showPasskeyFailure } from './askPasskey.saga';
import { endTask } from './managePasskeys.saga';
import { passkeyMessages } from './passkeys.messages';
import { pendingChangeStarted, selectPendingChange, taskEnded } from './passkeys.slice';

const purpose = (kind: 'add' | 'remove'): Purpose => ({
  *isAskedFor() {
    return (yield* select(selectPendingChange))?.kind === kind;
  },
  *proved(deps) {
    if (yield* call(applyChange, deps)) yield* call(announceFactorChange, deps, 'accountSettings');
    return null;
  },
});

/** The purposes of verify identity. */
export const addition = purpose('add');
export const removal = purpose('remove');

/**
 * Returns to the settings once identity is verified, and adds or removes a passkey.
 *
 * @returns whether the passkeys have changed
 */
function* applyChange(deps: Deps): SagaGenerator<boolean> {
  const change = yield* select(selectPendingChange);
  const authVerificationToken = deps.vault.get('verification')?.authVerificationToken;
  if (!change || authVerificationToken === undefined) return false;
  yield* put(pendingChangeStarted());
  // This change of address ends the verification period.
  yield* call(deps.navigation.replace, paths.accountSettings());
  if (change.kind === 'remove')
    return yield* call(remove, deps, { id: change.credentialId, authVerificationToken });
  const { isAdded, left } = yield* race({
    isAdded: call(add, deps, authVerificationToken),
    left: take(isElsewhere),
  });
  if (left) yield* put(taskEnded());
  return isAdded === true;
}

const isElsewhere = (action: { readonly type: string }): boolean =>
  locationChanged.match(action) && action.payload.route !== 'accountSettings';

/** When the settings are left, this saga is cancelled, which closes the browser's dialog. */
function* add(deps: Deps, authVerificationToken: string): SagaGenerator<boolean> {
  const outcome = yield* call(make, deps, authVerificationToken);
  yield* call(endTask, null);
  if (outcome.kind === 'failed') yield* call(showPasskeyFailure, passkeyMessages.failed.add, outcome.error);
  return outcome.kind === 'added';
}

function* make(
  deps: Deps,
  authVerificationToken: string,
): SagaGenerator<
  { readonly kind: 'added' | 'cancelled' } | { readonly kind: 'failed'; readonly error: ApiError | null }
> {
  const { addOptions, add: send } = deps.api.passkeys;
  const token = (): string => readBearer(deps)?.token ?? '';
  const options = yield* callApi(addOptions, token(), { authVerificationToken });
  if (!options.ok) return { kind: 'failed', error: options.error };
  const { challengeToken, publicKey } = options.value;
  const forPayments = deps.features.some(({ signsPayments }) => signsPayments);
  const outcome = yield* call(askBrowser<contract.PasskeyAddRequest['credential']>, deps, (browser, signal) =>
    browser.create({ publicKey, conditional: false, forPayments, signal }),
  );
  if (outcome.kind === 'cancelled') return outcome;
  if (outcome.kind === 'failed') return { kind: 'failed', error: null };
  const added = yield* callApi(send, token(), { challengeToken, credential: outcome.credential });
  return added.ok ? { kind: 'added' } : { kind: 'failed', error: added.error };
}

function* remove(deps: Deps, body: contract.RemovePasskeyRequest): SagaGenerator<boolean> {
  const result = yield* callApi(deps.api.passkeys.remove, readBearer(deps)?.token ?? '', body);
  // The passkey may have been removed elsewhere in the meantime.
  const isGone = result.ok || isUnknown(result.error);
  yield* call(endTask, isGone ? null : result.error);
  return isGone;
}
