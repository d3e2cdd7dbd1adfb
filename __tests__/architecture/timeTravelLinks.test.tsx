import { recording } from '../support/devToolsRecorder';
import { copyRequested, linkOpened } from '@features/auth/links/oneTimeLink.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { forgotSubmitted, resendRequested } from '@features/password/forgot/forgot.slice';
import { newPasswordSubmitted } from '@features/password/save/newPassword.slice';
import { ApiError } from '@shared/api/apiError';
import { act, fireEvent, screen } from '@testing-library/react';
import { accessToken, hosts, methods, severalPersonas, tokenPair } from '../support/builders';
import { fakeDeps, type FakeDeps, type TabOptions } from '../support/fakeDeps';
import { pass } from '../support/openApp';
import { openRecorded, type RecordedApp } from './openRecorded';
import { stepAfter } from './watchPorts';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const values = { apiKey: 'shown-key', apiSecret: 'shown-secret' };

const open = async (
  path: string,
  tab: TabOptions = {},
  signedIn = false,
): Promise<RecordedApp & { readonly deps: FakeDeps }> => {
  const deps = fakeDeps({ path, ...tab });
  if (signedIn) {
    const tokens = tokenPair({ personas: severalPersonas });
    deps.cookies.write('payments-test-session', JSON.stringify({ authenticated: tokens }), {
      kind: 'session',
    });
    deps.cookies.write('payments-test-session-refresh', tokens.refresh, { kind: 'session' });
  }
  const { forgot, reset, change, activate } = deps.api.password;
  for (const call of [forgot, reset, change, activate]) call.mockResolvedValue(undefined);
  deps.api.auth.methods.mockResolvedValue([methods.basic]);
  deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
  deps.api.auth.exchangeMagicLink.mockResolvedValue({
    applicationUrl: hosts.ledger,
    token: accessToken(),
    refreshToken: 'ref',
  });
  deps.api.users.apiInvite.mockResolvedValue(values);
  return { deps, ...(await openRecorded(deps)) };
};

/** The calls of ports with external effects. */
const moves = /\.(api|popup|parentFrame)\.|navigation\.(push|replace|leave|reload)|cookies\.(write|remove)/;

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const end = () => recording.steps().length - 1;

describe.each([
  ['a reset', '/reset-password/h-1', 'reset', 'Reset your password', 'Your password has been changed.'],
  ['an activation', '/activate/h-1', 'activate', 'Activate your account', 'Your account is active.'],
  ['a change', '/reset-password-verify', 'change', 'Change your password', 'Your password has been changed.'],
] as const)('jumping through %s of a password in Redux DevTools', (_name, path, call, heading, saved) => {
  it('changes the screen, and nothing else', async () => {
    const tab = await open(path, {}, call === 'change');
    if (call === 'change') await tab.act(identityPasswordSubmitted('Old-door77'));
    const entry = { password: 'Front-door7', confirm: 'Front-door7' };
    tab.deps.api.password[call].mockRejectedValueOnce(new ApiError('server', { status: 400 }));
    await tab.act(newPasswordSubmitted(entry));
    await tab.act(newPasswordSubmitted(entry));
    await act(() => pass(2500));
    expect(tab.deps.navigation.address()).toBe('/login');

    await tab.jump(stepAfter('newPassword/newPasswordRefused'));
    expect(await title(heading)).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('There was an error resetting your password.');
    await tab.jump(stepAfter('newPassword/newPasswordEntered'));
    expect(screen.getByRole('alert')).toBeEmptyDOMElement();
    expect(screen.getByLabelText('New password')).toHaveValue('');
    await tab.jump(stepAfter('newPassword/newPasswordSaved'));
    expect(await title(saved)).toBeVisible();

    // In the past, time passes without navigation; the live reading of cookies and clock continues.
    const before = tab.calls.filter((name) => moves.test(name));
    await act(() => pass(10_000));
    expect(tab.calls.filter((name) => moves.test(name))).toEqual(before);
    await tab.jump(end());
    expect(screen.getByLabelText('Username')).toBeVisible();
    expect(tab.deps.api.password[call]).toHaveBeenCalledTimes(2);
  });
});

it('jumping through ‘Forgot password’ sends no mail', async () => {
  const tab = await open('/forgot-password');
  await tab.act(forgotSubmitted('ada@example.com'));
  await tab.act(resendRequested());
  await tab.jump(stepAfter('forgot/forgotSubmitted'));
  expect(screen.getByRole('button', { name: 'Send Reset Link' })).toBeDisabled();
  await tab.jump(stepAfter('forgot/resetLinkSent'));
  expect(await title('Reset Link Sent')).toBeVisible();
  await tab.jump(end());
  expect(screen.getByLabelText('Email')).toHaveValue('ada@example.com');
  expect(tab.deps.api.password.forgot).toHaveBeenCalledTimes(1);
});

describe('jumping through an API invitation in Redux DevTools', () => {
  const openLeft = async () => {
    const tab = await open('/secret-key/h-1', { config: { oneTimeLinks: 'click' } });
    await tab.act(linkOpened());
    await tab.act(copyRequested('apiKey'));
    expect(await screen.findByText('shown-key')).toBeVisible();
    act(() => tab.deps.navigation.visit('/unauthorized'));
    await tab.arrive();
    await title('Your Link Has Expired');
    return tab;
  };

  it('shows no value that was dropped, and does not open the link again', async () => {
    const tab = await openLeft();
    await tab.jump(stepAfter('oneTimeLink/linkGateShown'));
    expect(await screen.findByRole('button', { name: 'Continue' })).toBeVisible();
    for (const event of ['apiInviteReceived', 'copyEnded']) {
      await tab.jump(stepAfter(`oneTimeLink/${event}`));
      expect(screen.queryByText(/shown-(key|secret)/)).not.toBeInTheDocument();
    }
    await tab.jump(end());
    expect(tab.deps.api.users.apiInvite).toHaveBeenCalledTimes(1);
  });

  it('buttons pressed in the past copy nothing and open nothing', async () => {
    const tab = await openLeft();
    await tab.jump(stepAfter('oneTimeLink/linkGateShown'));
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await tab.act(copyRequested('apiSecret'));
    expect(tab.deps.clipboard.copied).toEqual([values.apiKey]);
    expect(tab.deps.api.users.apiInvite).toHaveBeenCalledTimes(1);
  });
});

it('jumping through a magic link does not exchange it again, and writes no cookie', async () => {
  const tab = await open('/redirect/id-1', { config: { oneTimeLinks: 'click' } });
  await tab.act(linkOpened());
  expect(tab.deps.navigation.leaves).toHaveLength(1);
  for (const cookie of Object.keys(tab.deps.cookies.contents())) tab.deps.cookies.remove(cookie);

  await tab.jump(stepAfter('oneTimeLink/linkGateShown'));
  expect(await screen.findByRole('button', { name: 'Continue' })).toBeVisible();
  await tab.jump(stepAfter('oneTimeLink/linkOpened'));
  expect(screen.getByText('Opening your link', { selector: 'h1' })).toBeVisible();
  await tab.jump(end());
  expect(tab.deps.api.auth.exchangeMagicLink).toHaveBeenCalledTimes(1);
  expect(tab.deps.navigation.leaves).toHaveLength(1);
  expect(tab.deps.cookies.contents()).toEqual({});
});
