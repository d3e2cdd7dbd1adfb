import { endHeldSessions, endSession, type SessionEnd } from '@features/session';
import type { Deps } from '@shared/deps';
import { paths } from '@shared/routing/paths';
import { attempt } from '@shared/sagas/attempt.saga';
import { call } from '@shared/sagas/call.saga';
import { waitUntil } from '@shared/sagas/waitUntil.saga';
import { put, take } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import {
  newPasswordRefused,
  newPasswordSaved,
  newPasswordSubmitted,
  type NewPassword,
  type PersonName,
} from './newPassword.slice';
import { describeNotSaved, describeUnfit, type PasswordForm } from './newPassword.errors';

/** Time to read that it worked, ms (specification §9). */
const readForMs = 1500;

type SaveDeps = Pick<Deps, 'api' | 'clock' | 'config' | 'cookies' | 'navigation' | 'parentFrame' | 'vault'>;

/** How one of the forms saves what was entered; rejects with an `ApiError`. */
export type Save = (entry: NewPassword, name: PersonName | undefined) => Promise<void>;

/**
 * Takes what is submitted until a password is saved: checked against the rules, saved by one call for one press, and
 * after 1.5 s to the sign-in (specification §4, password reset, activate, forgot).
 */
export function* saveNewPassword(deps: SaveDeps, form: PasswordForm, save: Save): SagaGenerator<void> {
  for (;;) {
    const { payload: name, meta } = yield* take(newPasswordSubmitted);
    const unfit = describeUnfit(form, meta.secret);
    if (unfit !== null) {
      yield* put(newPasswordRefused({ at: 'password', message: unfit }));
      continue;
    }
    const answer = yield* attempt(save, meta.secret, name);
    if (answer.ok) break;
    yield* put(
      newPasswordRefused({ at: 'form', message: describeNotSaved(form, answer.error, meta.secret) }),
    );
  }
  yield* put(newPasswordSaved());
  yield* call(goToSignIn, deps, form);
}

function* goToSignIn(deps: SaveDeps, form: PasswordForm): SagaGenerator<void> {
  // In a parent's frame only the redirect is skipped (specification §4): the page goes on saying what was done.
  const stays = form === 'change' && deps.parentFrame.embedded;
  let end: SessionEnd = 'passwordChanged';
  try {
    yield* call(waitUntil, deps.clock, deps.clock.now() + readForMs);
    if (stays) end = 'changedInFrame';
  } finally {
    // Also for who leaves before: the service has ended the session already, unless it is another person's.
    yield* call(endHeldSessions, deps);
    yield* call(endSession, deps, end);
  }
  if (!stays) yield* call(deps.navigation.replace, paths.login());
}
