import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { password, people } from './support/people';
import { expect, test } from './support/test';
import { expectSignedIn, logoutOf, openTabs, refreshes } from './support/tabs';

// Half a life is over at the second look at the clock (5 s each); the service takes a refresh token once (10 s of grace).
test.use({ serviceSettings: { accessTokenSeconds: 16 } });

const refreshPath = '/auth/v1/refresh';
/** From one token to the next: the first look after half of its life, and the next one with a margin. */
const oneRefresh = { timeout: 18_000 };

test.describe('Ten tabs of one session', () => {
  test('make one refresh a token between them, and none is signed out', async ({
    context,
    world,
    signedInAs,
  }) => {
    test.setTimeout(120_000);
    await signedInAs(people.sam);
    const tabs = await openTabs(context, 10);
    await expect.poll(async () => (await refreshes(world)).length, { timeout: 60_000 }).toBe(4);
    const calls = await refreshes(world);
    const sent = new Set(calls.map(({ body }) => JSON.stringify(body)));
    // Four tokens were renewed by four calls, each with a refresh token of its own.
    expect(calls.length / sent.size).toBe(1);
    expect(calls.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    for (const tab of tabs) await expectSignedIn(tab);
  });

  test('are all signed out at once by one of them', async ({ context, signedInAs, cookies }) => {
    await signedInAs(people.sam);
    const tabs = await openTabs(context, 10);
    const [first, ...others] = tabs;
    if (!first) throw new Error('There is no tab');
    // A tab in the background draws seldom, and is pressed only once it stands still.
    await first.bringToFront();
    await logoutOf(first).click();
    await Promise.all(others.map((tab) => expect(tab).toHaveURL(/\/login$/, { timeout: 2000 })));
    expect(await cookies.names()).toEqual([]);
  });
});

test.describe('Another user in another tab', () => {
  test('takes the place of the first, of whom nothing stays', async ({
    page,
    world,
    cookies,
    settings,
    signedInAs,
  }) => {
    await signedInAs(people.sam);
    await page.goto('/reset-password-verify');
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(people.sam);
    await cookies.leaveSession(await world.tokensFor(people.alma, password));
    // The page is loaded anew, for Alma: verification begins again, with her address.
    await expect(page.getByLabel('Email', { exact: true })).toHaveValue(people.alma, { timeout: 8000 });
    await settings.open();
    await settings.expectOpen();
    await expect(page.getByText(people.sam)).toHaveCount(0);
  });
});

test.describe('A laptop', () => {
  test('that slept past the token’s end goes on with one refresh', async ({
    page,
    world,
    settings,
    signedInAs,
  }) => {
    await page.clock.install();
    await signedInAs(people.sam);
    await settings.open();
    await settings.expectOpen();
    await page.clock.fastForward('01:00:00');
    await expect.poll(async () => (await refreshes(world)).map(({ status }) => status)).toEqual([200]);
    await settings.expectOpen();
  });

  test('that is offline asks nothing, and asks at once when it is back', async ({
    context,
    page,
    world,
    settings,
    signedInAs,
    cookies,
  }) => {
    test.setTimeout(60_000);
    await signedInAs(people.sam);
    await settings.open();
    await settings.expectOpen();
    const before = await cookies.read(cookieName.session);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await context.setOffline(true);
    // Past two looks at the clock of which the second would have refreshed.
    await page.waitForTimeout(11_500);
    expect(asked).toEqual([]);
    expect(await cookies.read(cookieName.session)).toBe(before);
    await context.setOffline(false);
    await expect.poll(() => cookies.read(cookieName.session), { timeout: 3000 }).not.toBe(before);
    expect(await refreshes(world)).toHaveLength(1);
    await settings.expectOpen();
  });
});

test.describe('A service that is down', () => {
  test('for longer than half a life costs nobody the session', async ({
    page,
    world,
    settings,
    signedInAs,
    cookies,
    pageFaults,
  }) => {
    test.setTimeout(60_000);
    pageFaults.allow(failedRequest('(net::ERR_|5[0-9]{2})'));
    await signedInAs(people.sam);
    await settings.open();
    await settings.expectOpen();
    const before = await cookies.read(cookieName.session);
    await world.fail({ path: refreshPath, fault: { kind: 'answer', status: 503, body: {} } });
    await expect.poll(async () => (await refreshes(world)).length, oneRefresh).toBeGreaterThan(0);
    await world.heal();
    await expect.poll(() => cookies.read(cookieName.session), { timeout: 8000 }).not.toBe(before);
    await settings.expectOpen();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('until the token’s end signs out', async ({
    page,
    world,
    settings,
    login,
    signedInAs,
    cookies,
    pageFaults,
  }) => {
    test.setTimeout(60_000);
    pageFaults.allow(failedRequest('(net::ERR_|5[0-9]{2})'));
    await signedInAs(people.sam);
    await settings.open();
    await settings.expectOpen();
    await world.fail({ path: refreshPath, fault: { kind: 'answer', status: 503, body: {} } });
    await expect(login.username).toBeVisible({ timeout: 30_000 });
    await expect(page).toHaveURL(/\/login$/);
    expect(await cookies.names()).toEqual([]);
  });
});
