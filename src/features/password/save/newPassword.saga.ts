import { readSession } from '@features/session';
import type { Deps, ScreenModule, Visit } from '@shared/deps';
import { linkIdIn, linkIdInQuery } from '@shared/routing/linkId';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { newPasswordEntered } from './newPassword.slice';
import { saveNewPassword } from './saveNewPassword.saga';
import { Activate } from './Activate.container';
import { ChangePassword } from './ChangePassword.container';
import { ResetPassword } from './ResetPassword.container';

/** `/reset-password/{hash}`. A malformed id leads to `/unauthorized`, as every bad link does. */
function* resetByLink(deps: Deps, { params }: Visit): SagaGenerator<void> {
  const hash = linkIdIn(params['hash']);
  if (hash === null) yield* call(deps.navigation.replace, paths.unauthorized());
  else yield* call(reset, deps, hash);
}

/** `/reset?hash=`; without a hash it offers to request a link. */
function* resetByQuery(deps: Deps): SagaGenerator<void> {
  const hash = linkIdInQuery(deps.navigation.current().search);
  if (hash === null) yield* put(newPasswordEntered({ usable: false }));
  else yield* call(reset, deps, hash);
}

function* reset(deps: Deps, hash: string): SagaGenerator<void> {
  yield* put(newPasswordEntered({ usable: true }));
  yield* call(
    saveNewPassword,
    deps,
    'reset',
    async (entry) => await deps.api.password.reset({ ...entry, hash }),
  );
}

/** `/activate/{hash}`. */
function* activate(deps: Deps, { params }: Visit): SagaGenerator<void> {
  const hash = linkIdIn(params['hash']);
  if (hash === null) {
    yield* call(deps.navigation.replace, paths.unauthorized());
    return;
  }
  yield* put(newPasswordEntered({ usable: true }));
  const noName = { firstName: '', lastName: '' };
  yield* call(
    saveNewPassword,
    deps,
    'activate',
    async (entry, name = noName) => await deps.api.password.activate({ ...name, ...entry, hash }),
  );
}

/** `/reset-password-manual`: only with a proof of identity, whose password is the old one. */
function* changePassword(deps: Deps): SagaGenerator<void> {
  const stored = readSession(deps);
  const oldPassword = deps.vault.get('verification')?.password;
  if (stored.kind !== 'present' || oldPassword === undefined) {
    yield* call(deps.navigation.replace, paths.accountSettings());
    return;
  }
  const { email, username } = stored.claims;
  yield* put(newPasswordEntered({ usable: true }));
  yield* call(saveNewPassword, deps, 'change', async ({ password, confirm }) => {
    // The session is read again, because the token may have been refreshed since the screen was entered.
    const now = readSession(deps);
    await deps.api.password.change((now.kind === 'present' ? now : stored).tokens.token, {
      newPassword: password,
      confirmPassword: confirm,
      oldPassword,
      username: email === '' ? username : email,
    });
  });
}

export const resetByLinkScreen: ScreenModule = { Screen: ResetPassword, saga: resetByLink };
export const resetByQueryScreen: ScreenModule = { Screen: ResetPassword, saga: resetByQuery };
export const activateScreen: ScreenModule = { Screen: Activate, saga: activate };
export const changePasswordScreen: ScreenModule = { Screen: ChangePassword, saga: changePassword };
