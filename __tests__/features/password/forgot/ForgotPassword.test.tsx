/** Tests forgot.saga and forgot.slice. */
import { ForgotForm } from '@features/password/forgot/ForgotPassword';
import { forgotSubmitted, resendRequested } from '@features/password/forgot/forgot.slice';
import { logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { screen } from '@testing-library/react';
import { accessToken } from '../../../support/builders';
import { settle } from '../../../support/openApp';
import { openForm, type PasswordFormApp } from '../save/openForm';
import { user, arrive, renderApp } from '../../../support/renderApp';
import { sessionCookie } from '../../../support/sessionCookies';
import { renderView } from '../../../support/renderView';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const draw = async (query = '', options: Parameters<typeof openForm>[1] = {}): Promise<PasswordFormApp> => {
  const app = await openForm(`/forgot-password${query}`, options);
  app.deps.api.password.forgot.mockResolvedValue(undefined);
  await renderApp(app);
  await screen.findByRole('heading', { level: 1 });
  return app;
};

const email = () => screen.getByLabelText<HTMLInputElement>('Email');
const send = () => screen.getByRole('button', { name: 'Request Reset Link' });
const sentTitle = () => screen.queryByRole('heading', { level: 1, name: 'Reset Link Sent' });
const ask = async (address = 'ada@example.com') => {
  await user.type(email(), `${address}{Enter}`);
  await arrive();
};

describe('‘Forgot password’', () => {
  it('has a focused field with the browser’s own validation', async () => {
    await draw();
    expect(document.title).toContain('Request a reset link');
    expect(email()).toHaveFocus();
    expect(email()).toBeRequired();
    expect(email()).toHaveAttribute('type', 'email');
    expect(email()).toHaveValue('');
  });

  it.each(['', 'not an e-mail'])('sends nothing for %j', async (entered) => {
    const app = await draw();
    await ask(entered);
    await user.click(send());
    expect(app.deps.api.password.forgot).not.toHaveBeenCalled();
  });

  it.each([
    ['success', () => Promise.resolve()],
    ['an error', () => Promise.reject(new ApiError('server', { status: 404, serverMessage: 'No user' }))],
    ['no response', () => Promise.reject(new ApiError('network'))],
  ])('has the same confirmation after %s, with the focus on it', async (_name, answer) => {
    const app = await draw();
    app.deps.api.password.forgot.mockImplementation(answer);
    await ask();
    expect(app.deps.api.password.forgot.mock.calls).toEqual([['ada@example.com']]);
    expect(sentTitle()).toHaveFocus();
    expect(document.title).toContain('Reset Link Sent');
    expect(
      screen.getByText('If an account matches this email, a link to reset its password is on its way.'),
    ).toBeVisible();
    expect(document.body).not.toHaveTextContent(/ada@example\.com|No user|Network Error/);
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('is submitted once: meanwhile the button is disabled, and e-mail and field stay', async () => {
    const app = await draw();
    app.deps.api.password.forgot.mockReturnValue(new Promise(() => undefined));
    const field = email();
    await ask();
    expect(send()).toBeDisabled();
    expect(send()).toHaveAttribute('aria-busy', 'true');
    await user.type(email(), 'x{Enter}');
    expect(email()).toHaveValue('ada@example.com');
    // The same field: another one would have lost the focus.
    expect(email()).toBe(field);
    expect(app.deps.api.password.forgot).toHaveBeenCalledTimes(1);
  });

  it('can be repeated with Resend: the form comes back with the e-mail', async () => {
    const app = await draw();
    await ask();
    await user.click(screen.getByRole('button', { name: 'Resend' }));
    expect(sentTitle()).not.toBeInTheDocument();
    expect(email()).toHaveValue('ada@example.com');
    expect(email()).toHaveFocus();
    await user.clear(email());
    await ask('bob@example.com');
    expect(app.deps.api.password.forgot).toHaveBeenLastCalledWith('bob@example.com');
    expect(sentTitle()).toBeVisible();
  });
});

it.each([
  ['leads to the sign-in', '', false, 'Back to Login', '/login'],
  ['leads to the sign-in, with query', '?application=hub', false, 'Back to Login', '/login?application=hub'],
  ['leads to the settings in verify mode', '?mode=verify', true, 'Account Settings', '/account-settings'],
] as const)('the back link of form and confirmation %s', async (_name, query, signedIn, label, to) => {
  const app = await draw(query, { signedIn });
  expect(screen.getByRole('link', { name: label })).toHaveAttribute('href', to);
  await user.clear(email());
  await ask();
  const back = screen.getByRole('link', { name: label });
  expect(back).toHaveAttribute('href', to);
  await user.click(back);
  await arrive();
  expect(app.address()).toBe(to);
});

describe('the e-mail that ‘Forgot password’ starts with', () => {
  it('is the account’s in verify mode', async () => {
    await draw('?mode=verify', { signedIn: true });
    expect(email()).toHaveValue('ada.l@example.com');
  });

  it.each([
    ['', true],
    ['?mode=other', true],
    ['?mode=verify', false],
  ])('is none without the mode or without a session, at %j', async (query, signedIn) => {
    await draw(query, { signedIn });
    expect(email()).toHaveValue('');
  });

  it('is filled in later, but does not overwrite input', async () => {
    const back = { label: 'Back', to: '/login' };
    const form = (known: string) => (
      <ForgotForm email={known} busy={false} takesFocus={false} back={back} onSubmit={() => undefined} />
    );
    const { rerender } = renderView(form(''));
    rerender(form('ada@example.com'));
    expect(email()).toHaveValue('ada@example.com');
    await user.clear(email());
    await user.type(email(), 'b@x');
    rerender(form('eve@example.com'));
    expect(email()).toHaveValue('b@x');
  });
});

describe('the e-mail of a verification', () => {
  const session = 'payments-test-session';
  const openVerifying = async () => {
    const app = await openForm('/forgot-password?mode=verify', { signedIn: true });
    app.deps.api.password.forgot.mockResolvedValue(undefined);
    return app;
  };
  type App = Awaited<ReturnType<typeof openVerifying>>;
  const given = (app: App) => app.state().password.forgot.email;

  it('is removed at the end of the session', async () => {
    const app = await openVerifying();
    expect(given(app)).toBe('ada.l@example.com');
    await app.send(logoutRequested());
    expect(given(app)).toBe('');
    expect(JSON.stringify(app.state())).not.toContain('ada.l@example.com');
    expect(app.address()).toBe('/login');
  });

  it('is removed at the end of the session after going back to the form', async () => {
    const app = await openVerifying();
    await app.send(forgotSubmitted('ada.l@example.com'));
    await app.send(logoutRequested());
    app.dispatch(resendRequested());
    expect(app.state().password.forgot).toEqual({ phase: 'form', email: '' });
  });

  it('is not taken from an expired session', async () => {
    const app = await openForm('/account-settings', { signedIn: true });
    const token = accessToken({ lifeSeconds: -1 });
    // Expired while the page was hidden: the cookie is still there.
    app.deps.navigation.visit('/forgot-password?mode=verify');
    app.deps.cookies.write(session, sessionCookie({ token, refresh: 'r' }));
    await settle();
    expect(given(app)).toBe('');
  });
});
