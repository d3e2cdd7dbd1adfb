/** @jest-environment node */
import { logoutRequested } from '@features/session';
import { ApiError } from '@shared/api/apiError';
import { tokenPair } from '../../../support/builders';
import { fakeBrowser } from '../../../support/fakeDeps';
import { pass, signInWithPassword } from '../../../support/openApp';
import { expectSignedOut, storedRefresh, openSignedIn, openTabs, put, renewing, start } from './openSignedIn';
import { arrangeSignIn } from '../../../support/usualResponses';

beforeEach(() => jest.useFakeTimers({ now: start }));

describe('a failing refresh', () => {
  const trouble: readonly (readonly [string, ApiError])[] = [
    ['no response', new ApiError('network')],
    ['503', new ApiError('server', { status: 503 })],
  ];

  it.each(trouble)('%s: retried until the token’s end; only then the session ends', async (_name, error) => {
    const { deps, tokens } = openSignedIn({ lifeSeconds: 120 });
    deps.api.auth.refresh.mockRejectedValue(error);
    await pass(119_999);
    expect(storedRefresh(deps)).toBe(tokens.refresh);
    expect(deps.navigation.address()).toBe('/account-settings');
    expect(deps.api.auth.refresh.mock.calls.length).toBeGreaterThan(1);
    await pass(5000);
    expectSignedOut(deps);
  });

  it.each(trouble)('%s: the session continues afterwards', async (_name, error) => {
    const { deps, tokens } = openSignedIn({ lifeSeconds: 900 });
    renewing(deps).mockRejectedValueOnce(error);
    await pass(600_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(2);
    expect(storedRefresh(deps)).not.toBe(tokens.refresh);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('a token that cannot be decoded counts as a failure too', async () => {
    const { deps, tokens } = openSignedIn();
    renewing(deps).mockResolvedValueOnce({ token: 'nonsense', refresh: 'r' });
    await pass(450_000);
    expect(storedRefresh(deps)).toBe(tokens.refresh);
    await pass(60_000);
    expect(storedRefresh(deps)).not.toBe(tokens.refresh);
  });

  /** Answers with this Retry-After, ms, each time; records when it was called, ms after the start. */
  const alwaysBusy = (retryAfterMs: number) => {
    const { deps } = openSignedIn();
    const at: number[] = [];
    deps.api.auth.refresh.mockImplementation(() => {
      at.push(Date.now() - start);
      return Promise.reject(new ApiError('server', { status: 429, retryAfterMs }));
    });
    return { deps, at };
  };

  it('an hour’s Retry-After leaves one call before the end', async () => {
    const { deps, at } = alwaysBusy(3_600_000);
    await pass(910_000);
    expect(at).toEqual([450_000, 885_000]);
    expectSignedOut(deps);
  });

  it('a long delay does not prevent the one attempt of a computer that slept past the end', async () => {
    const { deps } = alwaysBusy(3_600_000);
    await pass(890_000);
    jest.setSystemTime(start + 2_000_000);
    renewing(deps);
    await pass(5000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(3);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('twenty tabs wait together: ten minutes of failures cause a handful of calls', async () => {
    const browser = fakeBrowser();
    put({ cookies: browser.jar }, tokenPair({ lifeSeconds: 1800 }));
    const tabs = openTabs(browser, 20).map(({ deps }) => deps);
    for (const { api } of tabs) api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 503 }));
    await pass(900_000 + 600_000);
    const calls = tabs.flatMap(({ api }) => api.auth.refresh.mock.calls).length;
    expect(calls).toBeGreaterThan(10);
    expect(calls).toBeLessThan(20);
    // The failures have ended: the first tab refreshes for all.
    for (const deps of tabs) renewing(deps);
    await pass(70_000);
    expect(new Set(tabs.map(storedRefresh)).size).toBe(1);
    expect(browser.storage.contents()).toEqual({ 'clock-skew': '0' });
  });

  it('a sign-in does not wait for earlier failures', async () => {
    const { app, deps } = openSignedIn();
    deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 429, retryAfterMs: 60_000 }));
    await pass(450_000);
    app.dispatch(logoutRequested());
    arrangeSignIn(deps.api, tokenPair({ lifeSeconds: 10 }));
    renewing(deps);
    await signInWithPassword(app);
    await pass(5000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(2);
  });

  it('an internal error is shown, not retried', async () => {
    const { app, deps } = openSignedIn();
    deps.api.auth.refresh.mockRejectedValue(new TypeError('a bug'));
    await pass(600_000);
    expect(app.state().page.crash).toBe(true);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });
});
