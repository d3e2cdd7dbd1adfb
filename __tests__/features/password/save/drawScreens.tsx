import { App } from '@app/App';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { settle } from '../../../support/openApp';
import { openForm, type PasswordFormApp } from './openForm';

/** A person whose keystrokes take no time of the clock. */
export const user = userEvent.setup({
  advanceTimers: (ms) => jest.advanceTimersByTimeAsync(ms).then(() => undefined),
});

type Options = Parameters<typeof openForm>[1];

/** Opens an address of the three, and draws it; `/reset-password-verify` goes on with the right password. */
export const draw = async (path: string, options: Options = {}): Promise<PasswordFormApp> => {
  const app = await openForm(path, options);
  if (path === '/reset-password-verify') {
    app.dispatch(identityPasswordSubmitted('Old-door77'));
    await settle();
  }
  render(<App store={app.store} config={app.deps.config} />);
  await act(() => settle());
  await screen.findByRole('heading', { level: 1 });
  return app;
};

/** The three screens: how each is opened, and its words. */
export const screens = {
  reset: {
    open: (options?: Options) => draw('/reset-password/h-1', options),
    title: 'Reset your password',
    saved: 'Your password has been changed.',
    button: 'Reset Password',
  },
  activate: {
    open: (options?: Options) => draw('/activate/h-1', options),
    title: 'Activate your account',
    saved: 'Your account is active.',
    button: 'Activate',
  },
  change: {
    open: (options?: Options) => draw('/reset-password-verify', { signedIn: true, ...options }),
    title: 'Change your password',
    saved: 'Your password has been changed.',
    button: 'Change Password',
  },
} as const;
type Name = keyof typeof screens;
export const names = ['reset', 'activate', 'change'] as const;

export const password = () => screen.getByLabelText<HTMLInputElement>('New password');
/** Types what the form needs. */
export const fill = async (name: Name, entered: string, confirmed = entered) => {
  if (name === 'activate') {
    await user.type(screen.getByLabelText('First name'), 'Ada');
    await user.type(screen.getByLabelText('Last name'), 'Lovelace');
  }
  if (entered !== '') await user.type(password(), entered);
  if (confirmed !== '') await user.type(screen.getByLabelText('Confirm password'), confirmed);
};
export const button = (name: Name) => screen.getByRole('button', { name: screens[name].button });
/** Presses the form's button, and lets the answer arrive. */
export const press = async (name: Name) => {
  await user.click(button(name));
  await act(() => settle());
};
