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
import { askConfirm } from '@features/ui-dialogs';
import { brandFor } from '@shared/brand/brand';
import { selectBrandFacts } from '@shared/brand/brand.slice';
import type { ApiError } from '@shared/api/apiError';
import type { Deps, Purpose } from '@shared/deps';
import { locationChanged } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { callApi } from '@shared/sagas/callApi.saga';
import { withChannel } from '@shared/sagas/withChannel.saga';
import { paths } from '@vestibule/contract/paths';
import { english, pageTexts } from '@shared/texts';
import { datesIn } from '@shared/ui/date';
import { put, race, select, take, takeLatest, takeLeading } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { recoveryMessages as words } from './recoveryCodes.messages';
import {
  recoveryCodesAwaited,
  recoveryCodesConfirmed,
  recoveryCodesCounted,
  recoveryCodesHidden,
  recoveryCodesMade,
  recoveryCodesRequested,
  recoveryCodesTaken,
  recoveryCopyEnded,
  recoveryCountFailed,
  selectRecoveryCodes,
} from './recoveryCodes.slice';

/** The extension `recovery-codes` at the account settings. See docs/behaviour.md#recovery-codes. */
export function* watchRecoveryCodes(deps: Deps): SagaGenerator<void> {
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

/** The purpose of verify identity that makes new codes. */
export const newCodes: Purpose = {
  *isAskedFor() {
    return (yield* select(selectRecoveryCodes))?.codes.phase === 'requested';
  },
  proved: makeRecoveryCodes,
};

/** Creates the codes, and shows them in the settings until 'Done'. */
function* makeRecoveryCodes(deps: Deps): SagaGenerator<ApiError | null> {
  const stored = readSession(deps);
  const proof = deps.vault.get('verification');
  if (!(yield* call(newCodes.isAskedFor, deps)) || stored.kind !== 'present' || !proof) return null;
  const { authVerificationToken } = proof;
  const result = yield* callApi(deps.api.recovery.make, stored.tokens.token, { authVerificationToken });
  if (!result.ok) return result.error;
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
  return null;
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
    else yield* call(download, fileName, yield* call(sheet, deps, codes));
  }
}

const fileName = 'recovery-codes.txt';

/** The text of the file. A print has the same text. */
function* sheet({ clock, config }: Deps, codes: readonly string[]): SagaGenerator<string> {
  const { label } = brandFor(yield* select(selectBrandFacts), config.brands);
  const username = yield* select(selectSignInName);
  const { title, account, madeOn, text } = words.sheet;
  const { shown: i18n = english } = pageTexts;
  const state = (yield* select(selectRecoveryCodes))?.codes;
  const day = datesIn(i18n).formatDay(state?.phase === 'shown' ? state.madeAt : clock.now());
  const heading = [title(label), account(username), madeOn(day), text].map((line) => i18n._(line));
  return [...heading, '', ...codes, ''].join('\n');
}
