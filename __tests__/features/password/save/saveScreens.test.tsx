import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { ApiError } from '@shared/api/apiError';
import { act, screen } from '@testing-library/react';
import { pass } from '../../../support/openApp';
import { openForm, type PasswordFormApp } from './openForm';
import { user, arrive, renderApp } from '../../../support/renderApp';

type Options = Parameters<typeof openForm>[1];

/** Opens one of the three addresses and renders it; `/reset-password-verify` continues with the right password. */
const draw = async (path: string, options: Options = {}): Promise<PasswordFormApp> => {
  const app = await openForm(path, options);
  if (path === '/reset-password-verify') {
    await app.send(identityPasswordSubmitted('Old-door77'));
  }
  await renderApp(app);
  await screen.findByRole('heading', { level: 1 });
  return app;
};

/** The three screens: how each is opened, and its texts. */
const screens = {
  reset: {
    open: (options?: Options) => draw('/reset-password/h-1', options),
    title: 'Set a new password',
    saved: 'Your password has been changed.',
    button: 'Set New Password',
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
const names = ['reset', 'activate', 'change'] as const;

const password = () => screen.getByLabelText<HTMLInputElement>('New password');
/** Fills in the form. */
const fill = async (name: Name, entered: string, confirmed = entered) => {
  if (name === 'activate') {
    await user.type(screen.getByLabelText('First name'), 'Ada');
    await user.type(screen.getByLabelText('Last name'), 'Lovelace');
  }
  if (entered !== '') await user.type(password(), entered);
  if (confirmed !== '') await user.type(screen.getByLabelText('Confirm password'), confirmed);
};
const button = (name: Name) => screen.getByRole('button', { name: screens[name].button });
/** Presses the form's button, and waits for the answer. */
const press = async (name: Name) => {
  await user.click(button(name));
  await arrive();
};

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

describe.each(names)('the screen to %s', (name) => {
  const { open, title, saved } = screens[name];
  const call = (app: PasswordFormApp) => app.deps.api.password[name];

  it('has its title, on the page and in the tab, and the focus in the first field', async () => {
    await open();
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(document.title).toContain(title);
    expect(name === 'activate' ? screen.getByLabelText('First name') : password()).toHaveFocus();
  });

  it('can be submitted once: its button is disabled while it is saved', async () => {
    const app = await open();
    call(app).mockReturnValue(new Promise(() => undefined));
    await fill(name, 'Front-door7');
    await user.keyboard('{Enter}{Enter}');
    await arrive();
    expect(button(name)).toBeDisabled();
    expect(call(app)).toHaveBeenCalledTimes(1);
  });

  it('shows the error of a password at the field, without a call', async () => {
    const app = await open();
    await fill(name, '');
    await press(name);
    expect(password()).toHaveAccessibleDescription(expect.stringContaining('Please enter a new password'));
    expect(password()).toBeInvalid();
    expect(password()).toHaveFocus();
    expect(call(app)).not.toHaveBeenCalled();
    expect(button(name)).toBeEnabled();
  });

  it('shows in an alert that it was not saved, and can be submitted again', async () => {
    const app = await open();
    call(app).mockRejectedValueOnce(new ApiError('unexpected'));
    await fill(name, 'Front-door7');
    await press(name);
    expect(screen.getByRole('alert')).toHaveTextContent('There was an error resetting your password.');
    expect(screen.queryAllByText('Please meet the password requirements')).toHaveLength(
      name === 'reset' ? 1 : 0,
    );
    expect(password()).toHaveValue('Front-door7');
    await press(name);
    expect(screen.getByText(saved)).toBeVisible();
  });

  it('confirms that it is saved, with the focus on the confirmation', async () => {
    await open();
    await fill(name, 'Front-door7');
    await press(name);
    expect(screen.getByRole('heading', { name: saved })).toHaveFocus();
    expect(screen.getByText('Taking you to the sign-in.')).toBeVisible();
    expect(screen.queryByLabelText('New password')).not.toBeInTheDocument();
    expect(document.body.innerHTML).not.toContain('Front-door7');
    expect(screen.queryByDisplayValue('Front-door7')).not.toBeInTheDocument();
  });
});

describe('an activation', () => {
  it('sends the name without surrounding spaces', async () => {
    const app = await screens.activate.open();
    await user.type(screen.getByLabelText('First name'), '  Ada ');
    await user.type(screen.getByLabelText('Last name'), ' King Noel ');
    await user.type(password(), 'Front-door7');
    await user.type(screen.getByLabelText('Confirm password'), 'Front-door7{Enter}');
    expect(app.deps.api.password.activate.mock.calls[0]?.[0]).toMatchObject({
      firstName: 'Ada',
      lastName: 'King Noel',
    });
  });

  it('is submitted by Enter in a name, too, once', async () => {
    const app = await screens.activate.open();
    app.deps.api.password.activate.mockReturnValue(new Promise(() => undefined));
    await fill('activate', 'Front-door7');
    await user.type(screen.getByLabelText('First name'), '{Enter}{Enter}');
    await arrive();
    expect(app.deps.api.password.activate).toHaveBeenCalledTimes(1);
  });

  it('lets the browser require a missing name', async () => {
    const app = await screens.activate.open();
    for (const label of ['First name', 'Last name']) expect(screen.getByLabelText(label)).toBeRequired();
    await user.type(password(), 'Front-door7{Enter}');
    expect(app.deps.api.password.activate).not.toHaveBeenCalled();
  });

  it('rejects a blank name', async () => {
    const app = await screens.activate.open();
    await user.type(screen.getByLabelText('First name'), '   ');
    await user.type(screen.getByLabelText('Last name'), 'Noel');
    await user.type(password(), 'Front-door7');
    await user.type(screen.getByLabelText('Confirm password'), 'Front-door7{Enter}');
    expect(screen.getByLabelText('First name')).toBeInvalid();
    expect(screen.getByLabelText('Last name')).toBeValid();
    expect(app.deps.api.password.activate).not.toHaveBeenCalled();
  });

  it('disables the name while it is submitted', async () => {
    const app = await screens.activate.open();
    app.deps.api.password.activate.mockReturnValue(new Promise(() => undefined));
    await fill('activate', 'Front-door7');
    await press('activate');
    await user.type(screen.getByLabelText('First name'), 'X');
    expect(screen.getByLabelText('First name')).toHaveValue('Ada');
  });
});

describe('changing the password', () => {
  it('has a link back to the settings', async () => {
    const app = await screens.change.open();
    const link = screen.getByRole('link', { name: 'Account Settings' });
    expect(link).toHaveAttribute('href', '/account-settings');
    await user.click(link);
    await arrive();
    expect(app.address()).toBe('/account-settings');
  });

  it('stays in a parent’s frame, where it says that the password was changed', async () => {
    const app = await screens.change.open({ embedding: 'trusted' });
    await fill('change', 'Front-door7');
    await press('change');
    await act(() => pass(10_000));
    expect(screen.getByText('Your password has been changed.')).toBeVisible();
    expect(screen.queryByText('Taking you to the sign-in.')).not.toBeInTheDocument();
    expect(app.address()).toBe('/reset-password-manual');
  });
});

it('/reset without a link offers to request one', async () => {
  const app = await draw('/reset', { signedIn: true });
  expect(screen.getByText('This page needs the link from our email.')).toBeVisible();
  expect(screen.queryByLabelText('New password')).not.toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Request a reset link' }));
  await arrive();
  expect(app.address()).toBe('/forgot-password');
});
