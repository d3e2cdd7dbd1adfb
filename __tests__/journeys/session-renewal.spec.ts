import { cookieName } from './support/familyCookies';
import { failedRequest } from './support/pageFaults';
import { pauseClock } from './support/pauseClock';
import { people } from './support/people';
import { expectSignedIn, openTabs, refreshes } from './support/tabs';
import { expect, test } from './support/test';

/** More than half of a token's life, and far from its end. */
const halfLife = '09:00';

test.beforeEach(async ({ page, atSettings }) => {
  await page.clock.install();
  await atSettings(people.sam);
});

test.describe('A laptop', () => {
  test('that slept past the token’s end goes on with one refresh', async ({ page, world, settings }) => {
    await page.clock.fastForward('01:00:00');
    await expect.poll(async () => (await refreshes(world)).map(({ status }) => status)).toEqual([200]);
    await settings.expectOpen();
  });

  test('that is offline asks nothing, and asks at once when it is back', async ({
    context,
    page,
    world,
    settings,
    cookies,
  }) => {
    const before = await cookies.read(cookieName.session);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await context.setOffline(true);
    await pauseClock(page);
    await page.clock.runFor(halfLife);
    expect(asked).toEqual([]);
    expect(await cookies.read(cookieName.session)).toBe(before);
    await context.setOffline(false);
    // The clock is stopped: no look is due.
    await expect.poll(() => cookies.read(cookieName.session)).not.toBe(before);
    expect(await refreshes(world)).toHaveLength(1);
    await settings.expectOpen();
  });
});

test.describe('Two tabs', () => {
  test('whose token is due make one refresh between them, and both go on', async ({
    context,
    page,
    world,
    cookies,
  }) => {
    const before = await cookies.read(cookieName.session);
    const [other] = await openTabs(context, 1);
    await page.clock.fastForward(halfLife);
    await expect.poll(() => cookies.read(cookieName.session)).not.toBe(before);
    // The other tab looks at the clock again, and finds a young token.
    await page.clock.fastForward('00:10');
    expect((await refreshes(world)).map(({ status }) => status)).toEqual([200]);
    for (const tab of [page, other]) if (tab) await expectSignedIn(tab);
  });
});

test.describe('A service that is down', () => {
  test(
    'when the token is due costs nobody the session',
    { tag: '@long' },
    async ({ page, world, settings, cookies, pageFaults }) => {
      pageFaults.allow(failedRequest(503));
      const before = await cookies.read(cookieName.session);
      await world.fail({ path: '/auth/v1/refresh', fault: { kind: 'answer', status: 503, body: {} } });
      await page.clock.fastForward(halfLife);
      await expect.poll(async () => (await refreshes(world)).length).toBeGreaterThan(0);
      await world.heal();
      await page.clock.fastForward('01:00');
      await expect.poll(() => cookies.read(cookieName.session)).not.toBe(before);
      await settings.expectOpen();
      await expect(page.getByRole('dialog')).toHaveCount(0);
    },
  );
});
