import { expect } from '@playwright/test';
import { cookieName } from '../familyCookies';
import { calls, tokensOf } from './calls';
import type { Fault } from './faults';
import { openSettingsSignedIn, passTimeUntil, type ScenarioFixtures } from './scenario';
import { expectHarmless, intervals } from './applyFault';

const hourMs = 3_600_000;
const seconds = (ms: number): number => Math.floor(ms / 1000);

/** Whether the service has rejected the call: a 4xx, except those that ask to retry (docs/behaviour.md#failed-refresh). */
export const isRefusal = ({ status }: Pick<Fault, 'status'>): boolean =>
  status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;

/**
 * A user is at the settings with a token that has more than half of its lifetime behind it, and hours before it; a first
 * refresh, on arrival, has failed.
 */
export async function openWithOldToken(fixtures: ScenarioFixtures): Promise<void> {
  fixtures.service.prepare(calls.attributes);
  fixtures.service.prepare(calls.authyInfo);
  fixtures.service.prepare(calls.refresh, {});
  fixtures.warnings.length = 0;
  const now = Date.now();
  const life = { iat: seconds(now - 12 * hourMs), exp: seconds(now + 4 * hourMs) };
  await openSettingsSignedIn(fixtures, '/account-settings', tokensOf(life));
  await fixtures.settings.expectOpen();
  await passTimeUntil(fixtures, () => isTold(fixtures));
}

/** A failed refresh is shown on the console only. */
const isTold = ({ warnings }: ScenarioFixtures): boolean =>
  warnings.some((text) => text.includes('session refresh failed'));

/** Without user action: the page polls, calls, and ends the session or keeps it (docs/behaviour.md#failed-refresh). */
export async function applyRefreshFault(fixtures: ScenarioFixtures, fault: Fault): Promise<void> {
  const { page, cookies, service, settings, warnings } = fixtures;
  warnings.length = 0;
  const before = await cookies.read(cookieName.session);
  const applied = service.applyFault(calls.refresh, fault);
  await passTimeUntil(fixtures, () => applied.count() > 0);
  applied.release();
  if (fault.name === 'none') await passTimeUntil(fixtures, () => isTold(fixtures));
  await expect.poll(() => isTold(fixtures), { intervals }).toBe(true);
  if (isRefusal(fault)) {
    await expect(page).toHaveURL(/\/login$/);
    await expect(fixtures.login.username).toBeVisible();
    expect(await cookies.names()).toEqual([]);
  } else {
    await expect(page).toHaveURL(/\/account-settings$/);
    await expect(settings.logoutButton).toBeVisible();
    expect(await cookies.read(cookieName.session)).toBe(before);
  }
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expectHarmless(page);
  if (fault.status === 429) {
    await page.clock.fastForward(hourMs);
    expect(applied.count()).toBe(1);
    // The next fault does not have to wait until the token expires.
    await page.evaluate(() => {
      localStorage.clear();
    });
  }
}

/** The service works again, and the next poll finds it so. */
export async function expectRenewed({ page, cookies, service, settings }: ScenarioFixtures): Promise<void> {
  const before = await cookies.read(cookieName.session);
  service.clearFault();
  service.prepare(calls.refresh);
  const isRenewed = async (): Promise<boolean> => (await cookies.read(cookieName.session)) !== before;
  await passTimeUntil({ page }, isRenewed);
  await expect(settings.logoutButton).toBeVisible();
}

/** The service fails until the token expires, which ends the session. */
export async function expectOverAtTheEnd({ page, cookies, login }: ScenarioFixtures): Promise<void> {
  await page.clock.fastForward(5 * hourMs);
  await expect(login.username).toBeVisible();
  expect(await cookies.names()).toEqual([]);
}
