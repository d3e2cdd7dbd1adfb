import { act, screen, within } from '@testing-library/react';
import { ApiError } from '@shared/api/apiError';
import { answers, hosts } from '../../../support/builders';
import { pass, type OpenApp } from '../../../support/openApp';
import { openChallenge, wrongCode } from './openChallenge';
import { user, renderApp } from '../../../support/renderApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

async function draw(options: Parameters<typeof openChallenge>[0] = {}): Promise<OpenApp> {
  const app = await openChallenge(options);
  await renderApp(app);
  await screen.findByRole('heading', { name: 'Enter MFA Code' });
  return app;
}

const code = () => screen.getByRole('textbox', { name: 'MFA code' });
const button = (name: string) => screen.getByRole('button', { name });
const trust = () => screen.getByRole('checkbox', { name: 'Trust this device' });

describe('the code screen', () => {
  it('has a title and an explanation, and takes the focus', async () => {
    await draw();
    expect(screen.getByText('Please enter an MFA code to complete sign-in.')).toBeVisible();
    expect(code()).toHaveFocus();
    expect(trust()).not.toBeChecked();
    expect(document.title).toContain('Enter MFA Code');
  });

  it('can be submitted with six digits and not before; nothing is submitted automatically', async () => {
    const app = await draw();
    expect(button('Submit')).toBeDisabled();
    await user.keyboard('12345{Enter}');
    expect(button('Submit')).toBeDisabled();
    await user.keyboard('6');
    expect(button('Submit')).toBeEnabled();
    expect(app.deps.api.auth.token).not.toHaveBeenCalled();
  });

  it('is submitted by the button, with ‘Trust this device’ as ticked', async () => {
    const app = await draw();
    app.deps.api.auth.token.mockResolvedValue(answers.session());
    await user.keyboard('123456');
    await user.click(trust());
    await user.click(button('Submit'));
    expect(app.deps.api.auth.token.mock.calls).toEqual([
      [{ username: 'ada', method: 'basic', authVerificationToken: 'vt_1', mfaCode: '123456', trust: true }],
    ]);
    expect(app.deps.navigation.leaves).toEqual([hosts.ledger]);
    expect(button('Submit')).toBeDisabled();
    expect(button('Submit')).toHaveAttribute('aria-busy', 'true');
    await user.click(code());
    await user.keyboard('{Backspace}9');
    expect(code()).toHaveValue('123456');
  });

  it('after a wrong code is red for 1.5 s, then empty with the focus in it', async () => {
    const app = await draw();
    app.deps.api.auth.token.mockRejectedValue(wrongCode);
    await user.click(trust());
    await user.click(code());
    await user.keyboard('123456{Enter}');
    const dialog = screen.getByRole('alertdialog', { name: 'Incorrect Security or Verification Code' });
    expect(dialog).toHaveAccessibleDescription('Incorrect code. Please enter verification code again.');
    expect(code()).toBeInvalid();
    await act(() => pass(1500));
    expect(code()).toHaveValue('');
    expect(code()).toBeValid();
    await user.click(within(dialog).getByRole('button', { name: 'Ok' }));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(code()).toHaveFocus();
    expect(trust()).toBeChecked();
    expect(button('Submit')).toBeDisabled();
  });

  it('after a code that could not be checked says why, keeps the code, and takes it again', async () => {
    const app = await draw();
    app.deps.api.auth.token.mockRejectedValue(new ApiError('network'));
    await user.keyboard('123456');
    await user.click(button('Submit'));
    const dialog = screen.getByRole('alertdialog', { name: 'Incorrect Security or Verification Code' });
    expect(dialog).toHaveAccessibleDescription(
      'Incorrect code. Please enter verification code again. We could not reach the service. Check your connection and try again.',
    );
    expect(code()).toBeInvalid();
    await user.click(within(dialog).getByRole('button', { name: 'Ok' }));
    await act(() => pass(1500));
    expect(code()).toBeValid();
    expect(code()).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(2);
    expect(app.deps.api.auth.token.mock.lastCall?.[0]).toMatchObject({ mfaCode: '123456' });
  });

  it('offers another text message, and confirms for 5 s that it was sent', async () => {
    const app = await draw();
    app.deps.api.auth.token.mockResolvedValue({});
    expect(screen.getByText("Didn't get the code?")).toBeVisible();
    await user.keyboard('12');
    await user.click(button('Resend'));
    expect(screen.getByRole('status')).toHaveTextContent('A new six digit code has been sent to your phone');
    expect(button('Resend')).toHaveAttribute('aria-disabled', 'true');
    // The focus stays on the button, and does not start again at the top of the page.
    expect(button('Resend')).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(app.deps.api.auth.token).toHaveBeenCalledTimes(1);
    await act(() => pass(5000));
    expect(screen.getByRole('status')).toBeEmptyDOMElement();
    expect(button('Resend')).not.toHaveAttribute('aria-disabled');
    expect(button('Resend')).toHaveFocus();
    expect(code()).toHaveValue('12');
  });

  it('offers no text message if the code comes from an app', async () => {
    await draw({ challenge: answers.appChallenge() });
    expect(screen.queryByText("Didn't get the code?")).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Resend' })).not.toBeInTheDocument();
  });

  it('has a link back to the login, with the query', async () => {
    const app = await draw({ path: '/login?url=x' });
    const back = screen.getByRole('link', { name: 'Back to Login' });
    expect(back).toHaveAttribute('href', '/login?url=x');
    await user.click(back);
    expect(app.address()).toBe('/login?url=x');
    expect(screen.getByLabelText('Username')).toBeVisible();
  });
});
