/** @jest-environment node */
import { ApiError } from '@shared/api/apiError';
import { tokenPair } from '../../../support/builders';
import { fakeBrowser, fakeDeps } from '../../../support/fakeDeps';
import { openApp, pass, settle, signInWithPassword } from '../../../support/openApp';
import { start, put, held, openSignedIn, renewing, expectSignedOut } from './openSignedIn';

// Hours of fake time take seconds on a busy machine.
jest.setTimeout(60_000);

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => jest.useRealTimers());

describe('a session that is not due', () => {
  it('is looked at for an hour without a single action or call', async () => {
    const { app, deps } = openSignedIn({ lifeSeconds: 4 * 3600 });
    await pass(0);
    const before = app.dispatched();
    await pass(3_600_000);
    expect(app.dispatched()).toBe(before);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
  });
});

describe('a session whose half-life has passed', () => {
  it('is refreshed on the first tick of 5 s after it, not before', async () => {
    const { app, deps, tokens } = openSignedIn({ lifeSeconds: 900 });
    renewing(deps);
    await pass(449_999);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    await pass(1);
    expect(deps.api.auth.refresh.mock.calls).toEqual([[tokens.refresh]]);
    expect(held(deps)).not.toBe(tokens.refresh);
    expect(app.state().session.access).toMatchObject({
      phase: 'active',
      claims: { iat: start / 1000 + 450 },
    });
  });

  it('tells the parent of the new tokens', async () => {
    const deps = fakeDeps({ path: '/account-settings', embedding: 'trusted' });
    openSignedIn({}, deps);
    renewing(deps);
    await pass(450_000);
    expect(deps.parentFrame.told).toEqual(['new_tokens']);
  });

  it('is refreshed once in each half-life, hour after hour', async () => {
    const { deps } = openSignedIn({ lifeSeconds: 600 });
    renewing(deps, { lifeSeconds: 600 });
    await pass(3_600_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(12);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('is refreshed after a sign-in in this tab just the same', async () => {
    const deps = fakeDeps({ path: '/login', embedding: 'trusted' });
    deps.api.auth.methods.mockResolvedValue([{ method: 'basic' }]);
    deps.api.auth.token.mockResolvedValue(tokenPair());
    const app = openApp(deps);
    renewing(deps);
    await signInWithPassword(app);
    await pass(450_000);
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });
});

describe('a token that another tab or application changed', () => {
  it('is taken over, without a call', async () => {
    const { app, deps } = openSignedIn();
    await pass(400_000);
    put(deps, tokenPair({ firstName: 'Ada L.' }));
    await pass(100_000);
    expect(deps.api.auth.refresh).not.toHaveBeenCalled();
    expect(app.state().session.access).toMatchObject({ claims: { firstName: 'Ada L.' } });
  });

  it('while the refresh is on its way wins over the answer', async () => {
    const { app, deps } = openSignedIn();
    const other = tokenPair({ firstName: 'of the other tab', iat: start / 1000 + 450 });
    deps.api.auth.refresh.mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      return tokenPair();
    });
    await pass(451_000);
    put(deps, other);
    await pass(10_000);
    expect(held(deps)).toBe(other.refresh);
    expect(app.state().session.access).toMatchObject({ claims: { firstName: 'of the other tab' } });
    expect(deps.api.auth.refresh).toHaveBeenCalledTimes(1);
  });

  it('while the refresh is refused wins over the refusal', async () => {
    const { deps } = openSignedIn();
    const other = tokenPair({ iat: start / 1000 + 450 });
    deps.api.auth.refresh.mockImplementation(() => {
      put(deps, other);
      return Promise.reject(new ApiError('server', { status: 401 }));
    });
    await pass(460_000);
    expect(held(deps)).toBe(other.refresh);
    expect(deps.navigation.address()).toBe('/account-settings');
  });

  it('to another person’s drops all that was known of the first: the page is loaded anew', async () => {
    const { app, deps } = openSignedIn({ uid: 'u_ada' });
    deps.vault.put('enrolment', { code: 'KEY', url: 'otpauth://totp/x' });
    const bob = tokenPair({ uid: 'u_bob' });
    put(deps, bob);
    await pass(60_000);
    expect(deps.navigation.reloads()).toBe(1);
    expect(deps.vault.get('enrolment')).toBeUndefined();
    expect(held(deps)).toBe(bob.refresh);
    expect(JSON.stringify(app.state())).not.toContain('u_bob');
  });

  it('to another person’s again and again, as a sibling host can, ends it the fourth time within 30 s', async () => {
    const browser = fakeBrowser();
    const { notes } = browser.tab();
    const changePerson = async () => {
      const tab = browser.tab({ path: '/account-settings', embedding: 'trusted', overrides: { notes } });
      const { app, deps } = openSignedIn({ uid: 'u_ada' }, tab);
      await settle();
      put(deps, tokenPair({ uid: 'u_bob' }));
      await pass(5000);
      return { deps, access: app.state().session.access };
    };
    for (const _time of [1, 2, 3]) expect((await changePerson()).deps.navigation.reloads()).toBe(1);
    const { deps, access } = await changePerson();
    expect(deps.navigation.reloads()).toBe(0);
    expect(access).toEqual({ phase: 'anonymous' });
    expect(deps.parentFrame.told).toEqual(['removed_tokens']);
    expectSignedOut(deps);
  });
});
