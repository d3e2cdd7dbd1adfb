import { inEnglish } from '../../../support/openApp';
import { newPasswordSubmitted, type PersonName } from '@features/password/save/newPassword.slice';
import { ApiError } from '@shared/api/apiError';
import { accessToken } from '../../../support/builders';
import { fakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { openApp, settle, type OpenApp } from '../../../support/openApp';
import { put } from '../../../support/sessionCookies';

/** One of the forms that set a password. */
export interface PasswordFormApp extends OpenApp {
  readonly token: string;
  readonly form: () => unknown;
  /** Types both fields and presses the button. */
  readonly submit: (password: string, confirm?: string, name?: PersonName) => Promise<void>;
}

interface Options extends TabOptions {
  /** With a session. */
  readonly signedIn?: boolean | 'withoutPassword';
  readonly email?: string;
}

/** Opens the address; every call that saves a password succeeds unless the test sets another answer. */
export async function openForm(
  path: string,
  { signedIn = false, email = 'ada.l@example.com', ...tab }: Options = {},
): Promise<PasswordFormApp> {
  const deps = fakeDeps({ ...tab, path });
  const method = signedIn === 'withoutPassword' ? 'other' : 'basic';
  const token = accessToken({ method, email, lifeSeconds: 86_400 });
  if (signedIn) {
    put(deps, { token, refresh: 'refresh-1' });
  }
  deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  for (const call of [deps.api.password.reset, deps.api.password.activate, deps.api.password.change])
    call.mockResolvedValue(undefined);
  const app = openApp(deps);
  await settle();
  return {
    ...app,
    token,
    form: () => {
      const form = app.state().password.newPassword;
      if (!('error' in form) || !form.error) return form;
      return { ...form, error: { ...form.error, message: inEnglish(form.error.message) } };
    },
    submit: async (password, confirm = password, name) => {
      await app.send(newPasswordSubmitted({ password, confirm }, name));
    },
  };
}
