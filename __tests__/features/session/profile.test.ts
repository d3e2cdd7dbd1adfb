/** @jest-environment node */
/** Tests bearer.saga. */
import { logoutRequested, profileRequested } from '@features/session';
import type { UserAttributes } from '@shared/api/decoders';
import { ApiError } from '@shared/api/apiError';
import { bearerRefused } from '@shared/sagas/callApi.saga';
import { accessToken, tokenPair, userAttributes } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { openApp, pass, settle } from '../../support/openApp';
import { expectSignedOut, openSignedIn, put, renewing, session, start } from './refresh/openSignedIn';
import { putSetup } from '../../support/sessionCookies';

beforeEach(() => jest.useFakeTimers({ now: start }));

const refused = new ApiError('server', { status: 401, serverCode: 'unauthorized' });
const nameless = new ApiError('server', { status: 401 });

/** The page has been open for a minute. */
const open = async () => {
  const opened = openSignedIn();
  await pass(60_000);
  opened.deps.api.users.attributes.mockReset();
  return opened;
};

describe('a GET that is answered 401', () => {
  it.each([
    ['that names its reason', refused],
    ['without a reason', nameless],
  ])('%s: the token is refreshed, and the call repeated once with it', async (_name, error) => {
    const { app, deps, tokens } = await open();
    renewing(deps);
    deps.api.users.attributes.mockRejectedValueOnce(error).mockResolvedValue(userAttributes());
    app.dispatch(profileRequested());
    await pass(0);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    const bearers = deps.api.users.attributes.mock.calls.map(([bearer]) => bearer);
    expect(bearers).toHaveLength(2);
    expect(bearers[0]).toBe(tokens.token);
    expect(bearers[1]).not.toBe(tokens.token);
    expect(app.state().session.profile).toMatchObject({ phase: 'loaded' });
  });

  it('and 401 again with the new token: it fails, without another refresh', async () => {
    const { app, deps } = await open();
    renewing(deps);
    deps.api.users.attributes.mockRejectedValue(refused);
    app.dispatch(profileRequested());
    await pass(15_000);
    expect(deps.api.users.attributes).toHaveBeenCalledTimes(2);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
    expect(app.state().session.profile).toEqual({ phase: 'failed' });
  });

  it('and the refresh is rejected as well: the session ends', async () => {
    const { app, deps } = await open();
    deps.api.auth.refresh.mockRejectedValue(nameless);
    deps.api.users.attributes.mockRejectedValue(refused);
    app.dispatch(profileRequested());
    await pass(0);
    expectSignedOut(deps);
    expect(deps.api.users.attributes).toHaveBeenCalledTimes(1);
  });

  it('while the service cannot refresh: it fails, and the session stays', async () => {
    const { app, deps } = await open();
    deps.api.auth.refresh.mockRejectedValue(new ApiError('network'));
    deps.api.users.attributes.mockRejectedValue(refused);
    app.dispatch(profileRequested());
    await pass(12_000);
    expect(app.state().session.profile).toEqual({ phase: 'failed' });
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it.each([403, 404, 500])('%d causes no refresh', async (status) => {
    const { app, deps } = await open();
    deps.api.users.attributes.mockRejectedValue(new ApiError('server', { status }));
    app.dispatch(profileRequested());
    await pass(0);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    expect(app.state().session.profile).toEqual({ phase: 'failed' });
  });
});

describe('a GET that is answered 401, without a refresh', () => {
  it('when another tab has refreshed before the answer: it is repeated at once', async () => {
    const { app, deps } = await open();
    const renewed = tokenPair();
    deps.api.users.attributes.mockImplementationOnce(async () => {
      put(deps, renewed);
      await new Promise((resolve) => setTimeout(resolve, 6000));
      throw refused;
    });
    deps.api.users.attributes.mockResolvedValue(userAttributes());
    app.dispatch(profileRequested());
    await pass(6000);
    expect(deps.api.users.attributes.mock.calls.map(([bearer]) => bearer)).toContain(renewed.token);
    expect(app.state().session.profile).toMatchObject({ phase: 'loaded' });
  });

  it('when the token was just issued: another would not help', async () => {
    const { app, deps } = openSignedIn();
    await pass(5000);
    deps.api.users.attributes.mockReset().mockRejectedValue(refused);
    app.dispatch(profileRequested());
    await pass(0);
    expect(app.state().session.profile).toEqual({ phase: 'failed' });
    expect(deps.api.users.attributes).toHaveBeenCalledTimes(1);
  });

  it('when another user has signed in: it is not repeated for that user', async () => {
    const { app, deps } = await open();
    deps.api.users.attributes.mockImplementation(() => {
      put(deps, tokenPair({ uid: 'u_bob' }));
      return Promise.reject(refused);
    });
    app.dispatch(profileRequested());
    await pass(15_000);
    expect(deps.api.users.attributes).toHaveBeenCalledTimes(1);
  });
});

describe('a POST that is answered 401', () => {
  it('causes one refresh, for the next press', async () => {
    const { app, deps, tokens } = await open();
    renewing(deps);
    app.dispatch(bearerRefused());
    app.dispatch(bearerRefused());
    await pass(5000);
    expect(deps.api.auth.refresh.mock.calls).toEqual([[tokens.refresh]]);
  });

  it('causes no refresh just after the token was issued', async () => {
    const { app, deps } = openSignedIn();
    await pass(5000);
    app.dispatch(bearerRefused());
    await pass(5000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });
});

describe('the account in the settings', () => {
  const load = (answer: Promise<UserAttributes>) => {
    const opened = openSignedIn();
    opened.deps.api.users.attributes.mockReturnValue(answer);
    opened.app.dispatch(profileRequested());
    return opened;
  };

  it('is loaded, and removed at the end of the session', async () => {
    const { app } = load(Promise.resolve(userAttributes({ isTextActive: true })));
    expect(app.state().session.profile).toEqual({ phase: 'loading' });
    await settle();
    expect(app.state().session.profile).toEqual({
      phase: 'loaded',
      attributes: userAttributes({ isTextActive: true }),
    });
    app.dispatch(logoutRequested());
    expect(app.state().session.profile).toEqual({ phase: 'absent' });
  });

  it('is requested with the setup token in setup mode', async () => {
    const deps = fakeDeps({ path: '/account-settings' });
    const mfaToken = putSetup(deps, accessToken({ uid: 'u_7' }));
    deps.api.users.attributes.mockResolvedValue(userAttributes());
    openApp(deps);
    await settle();
    expect(deps.api.users.attributes.mock.calls).toEqual([[mfaToken, 'u_7']]);
  });

  it('shows an error, and can be requested again', async () => {
    const { app, deps } = load(Promise.reject(new ApiError('server', { status: 500 })));
    await settle();
    expect(app.state().session.profile).toEqual({ phase: 'failed' });
    deps.api.users.attributes.mockResolvedValue(userAttributes());
    await app.send(profileRequested());
    expect(app.state().session.profile.phase).toBe('loaded');
  });

  it('is dropped if the user has signed out meanwhile', async () => {
    let answer: (attributes: UserAttributes) => void = () => undefined;
    const { app } = load(new Promise((resolve) => (answer = resolve)));
    app.dispatch(logoutRequested());
    answer(userAttributes());
    await settle();
    expect(app.state().session.profile).toEqual({ phase: 'absent' });
  });

  it('is not requested without a bearer', async () => {
    const { app, deps } = openSignedIn();
    await settle();
    deps.cookies.remove(session);
    deps.api.users.attributes.mockClear();
    await app.send(profileRequested());
    expect(deps.api.users.attributes).not.toHaveBeenCalled();
    expect(app.state().session.profile).toEqual({ phase: 'failed' });
  });
});
