import { decodeClaims, type Claims } from '@features/session/claims';
import { ApiError } from '@shared/api/apiError';
import { tokenPair, type AccessTokenFacts } from '../../../support/builders';
import { fakeDeps, type FakeBrowser, type FakeDeps, type TabOptions } from '../../../support/fakeDeps';
import { openApp } from '../../../support/openApp';
import { put, session } from '../../../support/sessionCookies';

export { put, session } from '../../../support/sessionCookies';

/** The start time of the tests, ms since the epoch. */
export const start = 1_800_000_000_000;
/** The browser's refresh token; empty when there is none. */
export const storedRefresh = (deps: Pick<FakeDeps, 'cookies'>): string =>
  deps.cookies.readAll(`${session}-refresh`).join();

/** The claims of a token of a test. */
export function claimsIn(token: string): Claims {
  const claims = decodeClaims(token);
  if (!claims) throw new Error('No token');
  return claims;
}

/** A user with a session of 15 minutes is on account settings. */
export const openSignedIn = (
  facts: Partial<AccessTokenFacts> = {},
  deps = fakeDeps({ path: '/account-settings' }),
) => {
  const tokens = tokenPair(facts);
  put(deps, tokens);
  deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
  return { app: openApp(deps), deps, tokens };
};

/** Tabs of one browser, at account settings. */
export const openTabs = (browser: FakeBrowser, count: number, options: TabOptions = {}) =>
  Array.from({ length: count }, () => {
    const deps = browser.tab({ path: '/account-settings', ...options });
    deps.api.users.attributes.mockRejectedValue(new ApiError('network'));
    return openApp(deps);
  });

/** A service that answers each refresh after this many ms with a new session of the same length. */
export const renewing = (deps: FakeDeps, facts: Partial<AccessTokenFacts> = {}, afterMs = 0) =>
  deps.api.auth.refresh.mockImplementation(async () => {
    if (afterMs > 0) await new Promise((resolve) => setTimeout(resolve, afterMs));
    return tokenPair(facts);
  });

/** The session was removed, and the page is at /login. */
export const expectSignedOut = (deps: FakeDeps) => {
  expect(deps.cookies.contents()).toEqual({});
  expect(deps.navigation.address()).toBe('/login');
};
