import { authMessages, describeVerifyError, identityRefused } from '@features/auth';
import {
  recoveryCodesAwaited,
  recoveryCodesConfirmed,
  recoveryCodesCounted,
  recoveryCodesHidden,
  recoveryCodesMade,
  recoveryCodesReducer,
  recoveryCodesRequested,
  recoveryCodesTaken,
  recoveryCopyEnded,
  recoveryCountFailed,
  recoveryMessages as words,
  selectRecoveryCodes,
  selectRecoveryPhase,
} from '@features/recovery-codes';
import {
  isSetupMode,
  profileLoaded,
  profileRequested,
  readAsBearer,
  readSession,
  selectProfile,
  selectSignInName,
  sessionEnded,
} from '@features/session';
import { askConfirm, showAlert } from '@features/ui-dialogs';
import { brandFor } from '@shared/brand/brand';
import { selectBrandFacts } from '@shared/brand/brand.slice';
import type { Deps } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { paths } from '@vestibule/contract/paths';
import { injectReducers } from '../rootReducer';
import moment from 'moment';
import { put, race, select, take, takeLatest, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';

/** The extension `recovery-codes` at the account settings. See docs/behaviour.md#recovery-codes. */
export function* watchRecoveryCodes(deps: Deps): SagaGenerator<void> {
  injectReducers({ recoveryCodes: recoveryCodesReducer });
  yield* takeLatest([profileLoaded, recoveryCodesAwaited], count, deps);
  yield* takeLeading(recoveryCodesRequested, confirm, deps);
  yield* put(recoveryCodesAwaited());
}

/** Counts the codes each time the settings have loaded the account. */
function* count(deps: Deps): SagaGenerator<void> {
  const profile = yield* select(selectProfile);
  if (isSetupMode(deps) || profile.phase !== 'loaded') return;
  const { isTextActive, isAppActive } = profile.attributes;
  if (isTextActive !== true && isAppActive !== true) return;
  const response = yield* readAsBearer(deps, async (token) => await deps.api.recovery.count(token));
  if (response) yield* put(response.ok ? recoveryCodesCounted(response.value) : recoveryCountFailed());
}

/** Asks before codes are replaced, unless there are certainly none. Then identity is verified. */
function* confirm({ navigation }: Deps): SagaGenerator<void> {
  const known = (yield* select(selectRecoveryCodes))?.count;
  const hasNone = known?.phase === 'counted' && known.remaining === 0;
  const { confirmed } = yield* race({
    confirmed: hasNone ? call(() => true) : call(askConfirm, words.replace),
    over: take([sessionEnded, locationChanged]),
  });
  if (!confirmed) return;
  yield* put(recoveryCodesConfirmed());
  yield* call(navigation.push, paths.askPassword('recovery-codes'));
}

/** Creates the codes once identity is verified, and shows them in the settings until 'Done'. */
export function* makeRecoveryCodes(deps: Deps): SagaGenerator<void> {
  const phase = yield* select(selectRecoveryPhase);
  const stored = readSession(deps);
  const proof = deps.vault.get('verification');
  if (phase !== 'requested' || stored.kind !== 'present' || !proof) return;
  const { authVerificationToken } = proof;
  const result = yield* callApi(deps.api.recovery.make, stored.tokens.token, { authVerificationToken });
  const isVerifying = deps.navigation.current().pathname === paths.askPassword('recovery-codes');
  if (!result.ok) {
    const failure = describeVerifyError(result.error, 'recoveryCodes');
    if (isVerifying) yield* put(identityRefused(failure));
    else yield* call(showAlert, { ...authMessages.identityRefused, ...failure });
    return;
  }
  yield* call(deps.vault.put<'recoveryCodes'>, 'recoveryCodes', result.value);
  try {
    yield* put(recoveryCodesMade(deps.clock.now()));
    // The new codes are shown even if the user has left the screen, because the former ones no longer work.
    yield* call(deps.navigation.replace, paths.accountSettings());
    yield* race({ taking: call(handOut, deps), left: call(untilLeft, deps) });
  } finally {
    yield* call(deps.vault.drop, 'recoveryCodes');
    yield* put(recoveryCodesHidden());
  }
  yield* put(profileRequested());
}

/** Waits for 'Done', or until the codes may no longer be shown. */
function* untilLeft({ pageLife }: Deps): SagaGenerator<void> {
  yield* withChannel(pageLife.subscribe, function* (life) {
    yield* race({
      done: take(recoveryCodesHidden),
      elsewhere: take(isLocationElsewhere),
      pageLeft: call(function* () {
        while ((yield* take(life)) !== 'left');
      }),
    });
  });
}

const isLocationElsewhere = (action: unknown): boolean =>
  locationChanged.match(action) && action.payload.route !== 'accountSettings';

function* handOut(deps: Deps): SagaGenerator<void> {
  for (;;) {
    const { payload: how } = yield* take(recoveryCodesTaken);
    const codes = deps.vault.get('recoveryCodes');
    if (!codes) continue;
    if (how === 'copy') {
      const isCopied = yield* call(deps.clipboard.copy, codes.join('\n'));
      yield* put(recoveryCopyEnded(isCopied ? 'copied' : 'refused'));
      continue;
    }
    const { download, print } = yield* call(deps.documents);
    if (how === 'print') yield* call(print);
    else yield* call(download, words.file, yield* call(sheet, deps, codes));
  }
}

/** The text of the file, the same as on paper. */
function* sheet({ clock, config }: Deps, codes: readonly string[]): SagaGenerator<string> {
  const { label } = brandFor(yield* select(selectBrandFacts), config.brands);
  const username = yield* select(selectSignInName);
  const { title, account, date, text } = words.sheet;
  const shown = (yield* select(selectRecoveryCodes))?.codes;
  const madeAt = shown?.phase === 'shown' ? shown.madeAt : clock.now();
  return [title(label), account(username), moment(madeAt).format(date), text, '', ...codes, ''].join('\n');
}
