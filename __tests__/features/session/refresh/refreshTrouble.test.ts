/** @jest-environment node */
import { ApiError } from '@shared/api/apiError';
import { tokenPair } from '../../../support/builders';
import { pass } from '../../../support/openApp';
import { start, held, openSignedIn, renewing, expectSignedOut } from './openSignedIn';

// Hours of fake time take seconds on a busy machine.
jest.setTimeout(60_000);

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => jest.useRealTimers());

describe('the refresh runs into trouble', () => {
  const trouble: readonly (readonly [string, ApiError])[] = [
    ['no answer', new ApiError('network')],
    ['given up waiting', new ApiError('timeout')],
    ['an answer of another shape', new ApiError('unexpected', { status: 200 })],
    ['408', new ApiError('server', { status: 408 })],
    ['429', new ApiError('server', { status: 429, retryAfterMs: 1000 })],
    ['500', new ApiError('server', { status: 500 })],
    ['503', new ApiError('server', { status: 503 })],
  ];

  it.each(trouble)(
    '%s: it is tried again until the token expires, and only then the session ends',
    async (_name, error) => {
      const { deps, tokens } = openSignedIn({ lifeSeconds: 120 });
      deps.api.auth.refresh.mockRejectedValue(error);
      await pass(119_999);
      expect(held(deps)).toBe(tokens.refresh);
      expect(deps.navigation.address()).toBe('/account-settings');
      expect(deps.api.auth.refresh.mock.calls.length).toBeGreaterThan(1);
      await pass(5000);
      expectSignedOut(deps);
    },
  );

  it.each(trouble)('%s: once it is over, the session goes on', async (_name, error) => {
    const { deps, tokens } = openSignedIn({ lifeSeconds: 900 });
    deps.api.auth.refresh.mockRejectedValueOnce(error).mockImplementation(() => Promise.resolve(tokenPair()));
    await pass(600_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(2);
    expect(held(deps)).not.toBe(tokens.refresh);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('a token that cannot be decoded is trouble too', async () => {
    const { deps, tokens } = openSignedIn();
    deps.api.auth.refresh.mockResolvedValueOnce({ token: 'nonsense', refresh: 'r' });
    deps.api.auth.refresh.mockImplementation(() => Promise.resolve(tokenPair()));
    await pass(450_000);
    expect(held(deps)).toBe(tokens.refresh);
    await pass(60_000);
    expect(held(deps)).not.toBe(tokens.refresh);
  });

  it('while offline no try is made; once online it is', async () => {
    const { deps, tokens } = openSignedIn();
    renewing(deps);
    deps.pageLife.emit('offline');
    await pass(600_000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    expect(held(deps)).toBe(tokens.refresh);
    deps.pageLife.emit('online');
    await pass(5000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it('the log tells of it, without a token', async () => {
    const { deps } = openSignedIn();
    deps.api.auth.refresh.mockRejectedValue(new ApiError('server', { status: 503, serverMessage: 'words' }));
    await pass(450_000);
    expect(deps.log.warnings).toEqual([
      { event: 'session refresh failed', facts: { kind: 'server', status: 503 } },
    ]);
  });

  it('a fault of ours is shown, not repeated', async () => {
    const { app, deps } = openSignedIn();
    deps.api.auth.refresh.mockRejectedValue(new TypeError('a bug'));
    await pass(600_000);
    expect(app.state().crashed).toBe(true);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });
});
