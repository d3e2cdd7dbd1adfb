import type { MessageDescriptor } from '@lingui/core';
import type { Text } from '@shared/texts';
import { endStoredSessions, endSession, takeReturn, type SessionEnd } from '@features/session';
import type { ApiError } from '@shared/api/apiError';
import type { Deps } from '@shared/deps';
import { paths } from '@vestibule/contract/paths';
import { callApi } from '@shared/sagas/callApi.saga';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { passwordMessages } from '../password.messages';
import { composed, meetsRules } from '../passwordRules';
import {
  newPasswordRefused,
  newPasswordSaved,
  newPasswordSubmitted,
  type NewPassword,
  type PersonName,
} from './newPassword.slice';

/** How long the page shows that the password is saved, ms. */
const readForMs = 1500;

/** The forms that set a password. */
type PasswordForm = 'reset' | 'activate' | 'change';

/** How a form saves what was entered; rejects with an `ApiError`. */
type Save = (entry: NewPassword, name: PersonName | undefined) => Promise<void>;

/**
 * Handles submits until a password is saved. Each is checked against the rules and sent by one call. Then the session ends,
 * and `/login` follows (docs/behaviour.md#after-a-saved-password).
 */
export function* saveNewPassword(deps: Deps, form: PasswordForm, save: Save): SagaGenerator<void> {
  for (;;) {
    const { payload: name, meta } = yield* take(newPasswordSubmitted);
    const unfit = describeUnfit(form, meta.secret);
    if (unfit !== null) {
      yield* put(newPasswordRefused({ at: 'password', message: unfit }));
      continue;
    }
    const result = yield* callApi(save, meta.secret, name);
    if (result.ok) break;
    const message = yield* call(describeSaveError, deps, form, result.error, meta.secret);
    yield* put(newPasswordRefused({ at: 'form', message }));
  }
  yield* put(newPasswordSaved());
  yield* call(goToSignIn, deps, form);
}

const { errors } = passwordMessages;

/** Why a password cannot be sent, or `null`. The service checks whether both fields agree. */
function describeUnfit(form: PasswordForm, { password }: NewPassword): MessageDescriptor | null {
  if (password === '') return errors.empty;
  if (meetsRules(password)) return null;
  return form === 'change' ? errors.requirements : errors.format;
}

/** The text for a failed call (docs/behaviour.md#passwords). */
function* describeSaveError(
  { features }: Deps,
  form: PasswordForm,
  error: ApiError,
  entry: NewPassword,
): SagaGenerator<Text> {
  const { serverCode = '' } = error.details;
  for (const { passwordRefusals } of serverCode === '' ? [] : features) {
    const words = passwordRefusals && (yield* call(passwordRefusals.load));
    if (words && Object.hasOwn(words, serverCode)) return words[serverCode] ?? errors.fallback;
  }
  if (form === 'change')
    return composed(entry.password) === composed(entry.confirm) ? errors.fallback : errors.mismatch;
  const hasNoResponse = error.kind === 'network' || error.kind === 'timeout';
  return error.details.serverMessage ?? (hasNoResponse ? errors.network : errors.fallback);
}

function* goToSignIn(deps: Deps, form: PasswordForm): SagaGenerator<void> {
  // In a frame the page continues to show that the password is saved, and does not redirect.
  const stays = form === 'change' && deps.parentFrame.embedded;
  let end: SessionEnd = 'passwordChanged';
  try {
    yield* call(waitUntil, deps.clock, deps.clock.now() + readForMs);
    if (stays) end = 'changedInFrame';
  } finally {
    // The session ends also if the screen is left earlier, because the service has already ended it.
    yield* call(endStoredSessions, deps);
    yield* call(endSession, deps, end);
  }
  if (!stays) yield* call(deps.navigation.replace, paths.login(form === 'reset' ? takeReturn(deps) : ''));
}
