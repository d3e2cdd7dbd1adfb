import { recording } from '../support/devToolsRecorder';
import { App } from '@app/App';
import { ApiError } from '@shared/api/apiError';
import { act, render, screen } from '@testing-library/react';
import { answers, methods, severalPersonas } from '../support/builders';
import { fakeDeps } from '../support/fakeDeps';
import { enterUsername, openApp, settle, signInWithPassword } from '../support/openApp';
import { stepAfter, watch } from './watchPorts';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

/** Waits for lazily loaded screens and pending answers. */
const arrive = () => act(() => settle());

const open = async (path = '/login') => {
  const calls: string[] = [];
  const deps = fakeDeps({ path });
  deps.api.auth.methods.mockResolvedValue([methods.basic]);
  deps.api.auth.token.mockResolvedValue(answers.session({ personas: severalPersonas }));
  deps.api.users.attributes.mockResolvedValue({
    email: 'ada@example.com',
    authyActive: false,
    twoFactorActive: false,
    lastReset: null,
  });
  const app = openApp(watch(deps, calls), { devTools: true });
  render(<App store={app.store} config={deps.config} />);
  await arrive();
  return { app, deps, calls };
};

describe('jumping through a recorded sign-in in Redux DevTools', () => {
  it('changes the screen, and nothing else', async () => {
    // 1. Ada signs in and is on the account settings.
    const { app, deps, calls } = await open();
    await act(() => signInWithPassword(app));
    await arrive();
    expect(await screen.findByText('You have never changed your password')).toBeVisible();

    expect(calls).toContain('deps.api.auth.token');

    // 2. Back to the username, forward to the password, forward to the end.
    const touched = calls.length;
    const before = { cookies: deps.cookies.contents(), address: deps.navigation.address() };
    act(() => recording.jumpTo(stepAfter('signIn/loginEntered')));
    await arrive();
    expect(screen.getByLabelText('Username')).toBeVisible();
    expect(screen.queryByText('You have never changed your password')).not.toBeInTheDocument();

    act(() => recording.jumpTo(stepAfter('signIn/methodsLoaded')));
    await arrive();
    expect(screen.getByLabelText('Password')).toBeVisible();
    expect(screen.queryByLabelText('Username')).not.toBeInTheDocument();

    act(() => recording.jumpToEnd());
    await arrive();
    expect(screen.getByText('You have never changed your password')).toBeVisible();

    // 3. No port was used: no call, no cookie, no navigation.
    expect(calls.slice(touched)).toEqual([]);
    expect({ cookies: deps.cookies.contents(), address: deps.navigation.address() }).toEqual(before);
  });

  it('opens and closes the dialog of the past state', async () => {
    const { app, deps, calls } = await open();
    deps.api.auth.methods.mockRejectedValue(new ApiError('network'));
    await act(() => enterUsername(app));
    expect(screen.getByText('No Login Methods available')).toBeVisible();
    act(() => app.answerDialog(true));
    const touched = calls.length;

    act(() => recording.jumpTo(stepAfter('dialogs/dialogOpened')));
    expect(screen.getByText('No Login Methods available')).toBeVisible();
    act(() => recording.jumpTo(1));
    expect(screen.queryByText('No Login Methods available')).not.toBeInTheDocument();
    expect(calls.slice(touched)).toEqual([]);
  });

  it('does not affect the session, which is still refreshed', async () => {
    const { app, deps } = await open();
    await act(() => signInWithPassword(app));
    deps.api.auth.refresh.mockResolvedValue({ token: 'nonsense', refresh: 'r' });
    act(() => recording.jumpTo(1));
    await act(() => jest.advanceTimersByTimeAsync(450_000));
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });
});
