import { expect, test } from './support/test';

/** Guards the guards: under Playwright's own flags each of these comes out the other way, and hides our faults. */
test.describe('The browser of these journeys is a user’s', () => {
  test('it blocks a window that nobody asked for', async ({ page, world }) => {
    // From the page's own start: what Playwright evaluates later counts as the user's action.
    await page.addInitScript(() => {
      setTimeout(() => Object.assign(window, { opened: window.open('about:blank') !== null }));
    });
    await page.goto(`${world.origin('outbox')}/`);
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { opened?: boolean }).opened))
      .toBe(false);
  });

  test('it brings a page back from its cache', async ({ page, world }) => {
    await page.goto(`${world.origin('hub')}/`);
    await page.evaluate(() => {
      addEventListener(
        'pageshow',
        ({ persisted }) => (document.title = persisted ? 'from the cache' : 'loaded'),
      );
    });
    await page.goto(`${world.origin('ledger')}/`);
    await page.goBack({ waitUntil: 'commit' });
    await expect(page).toHaveTitle('from the cache');
  });

  test('it keeps the storage of a frame in another site apart', async ({ page, world, context }) => {
    const inFrame = await context.newPage();
    await page.goto(`${world.origin('app')}/login`);
    await inFrame.goto(`${world.origin('partner')}/`);
    const framed = inFrame.frame({ url: /\/login/ });
    await page.evaluate(() => {
      const heard: unknown[] = [];
      Object.assign(window, { heard });
      new BroadcastChannel('apart').addEventListener('message', ({ data }) => heard.push(data));
    });
    await framed?.evaluate(() => new BroadcastChannel('apart').postMessage('from the frame'));
    const beside = await context.newPage();
    await beside.goto(`${world.origin('app')}/login`);
    await beside.evaluate(() => new BroadcastChannel('apart').postMessage('from the tab beside'));

    await expect
      .poll(() => page.evaluate(() => (window as unknown as { heard: unknown[] }).heard))
      .toEqual(['from the tab beside']);
  });
});
