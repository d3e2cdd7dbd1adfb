/** @jest-environment node */
import { logoutRequested, profileRequested, sessionEnded } from '@features/session';
import type { UserAttributes } from '@shared/api/api';
import { ApiError } from '@shared/api/apiError';
import { accessToken, userAttributes } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { openApp, settle } from '../../support/openApp';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const open = (answer: Promise<UserAttributes>, cookie = 'session') => {
  const deps = fakeDeps({ path: '/account-settings' });
  const token = accessToken({ uid: 'u_7' });
  const value = cookie === 'session' ? { authenticated: { token, refresh: 'r' } } : { mfaToken: token };
  const name = cookie === 'session' ? 'payments-test-session' : 'payments-test-session-setup';
  deps.cookies.write(name, JSON.stringify(value), { kind: 'session' });
  deps.api.users.attributes.mockReturnValue(answer);
  return { app: openApp(deps), deps, token };
};

describe('the account in the settings', () => {
  it('is loading, and then there', async () => {
    const { app } = open(Promise.resolve(userAttributes({ authyActive: true })));
    expect(app.state().profile).toEqual({ phase: 'loading' });
    await settle();
    expect(app.state().profile).toEqual({
      phase: 'loaded',
      attributes: userAttributes({ authyActive: true }),
    });
  });

  it('is asked for with the setup token in setup mode', async () => {
    const { deps, token } = open(Promise.resolve(userAttributes()), 'setup');
    await settle();
    expect(deps.api.users.attributes.mock.calls).toEqual([[token, 'u_7']]);
  });

  it('says that it failed, and can be asked for again', async () => {
    const { app, deps } = open(Promise.reject(new ApiError('server', { status: 500 })));
    await settle();
    expect(app.state().profile).toEqual({ phase: 'failed' });
    deps.api.users.attributes.mockResolvedValue(userAttributes());
    app.dispatch(profileRequested());
    await settle();
    expect(app.state().profile.phase).toBe('loaded');
  });

  it('of somebody who signed out meanwhile is dropped when it arrives', async () => {
    let answer: (attributes: UserAttributes) => void = () => undefined;
    const { app } = open(new Promise((resolve) => (answer = resolve)));
    app.dispatch(logoutRequested());
    answer(userAttributes());
    await settle();
    expect(app.state().profile).toEqual({ phase: 'absent' });
  });

  it('is not asked for without a bearer', async () => {
    const { app, deps } = open(Promise.resolve(userAttributes()));
    await settle();
    deps.cookies.remove('payments-test-session');
    deps.api.users.attributes.mockClear();
    app.dispatch(profileRequested());
    await settle();
    expect(deps.api.users.attributes).not.toHaveBeenCalled();
    expect(app.state().profile).toEqual({ phase: 'failed' });
  });

  it('goes with the session', async () => {
    const { app } = open(Promise.resolve(userAttributes()));
    await settle();
    app.dispatch(sessionEnded({ reason: 'signedOut' }));
    expect(app.state().profile).toEqual({ phase: 'absent' });
  });
});
