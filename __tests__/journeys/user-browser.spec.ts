import { expect, test } from './support/test';

/** Checks the test environment: under Playwright's own flags each of these would differ, and hide our faults. */
test.describe('The browser of these journeys behaves as a user’s', () => {
  test('it blocks a window without a user action', { tag: '@long' }, async ({ page, environment }) => {
    // From the page's own start: what Playwright evaluates later counts as the user's action.
    await page.addInitScript(() => {
      setTimeout(() => Object.assign(window, { opened: window.open('about:blank') !== null }));
    });
    await page.goto(`${environment.origin('outbox')}/`);
    await expect
      .poll(() => page.evaluate(() => (window as unknown as { opened?: boolean }).opened))
      .toBe(false);
  });

  test('it restores a page from its back/forward cache', { tag: '@long' }, async ({ page, environment }) => {
    await page.goto(`${environment.origin('outbox')}/`);
    await page.evaluate(() => {
      addEventListener(
        'pageshow',
        ({ persisted }) => (document.title = persisted ? 'from the cache' : 'loaded'),
      );
    });
    await page.goto(`${environment.origin('ledger')}/`);
    await page.goBack({ waitUntil: 'commit' });
    await expect(page).toHaveTitle('from the cache');
  });

  test(
    'it partitions the storage of a frame on another site',
    { tag: '@long' },
    async ({ page, environment, context }) => {
      const inFrame = await context.newPage();
      await page.goto(`${environment.origin('app')}/login`);
      await inFrame.goto(`${environment.origin('partner')}/`);
      const framed = inFrame.frame({ url: /\/login/ });
      await page.evaluate(() => {
        const received: unknown[] = [];
        Object.assign(window, { received });
        new BroadcastChannel('apart').addEventListener('message', ({ data }) => received.push(data));
      });
      await framed?.evaluate(() => new BroadcastChannel('apart').postMessage('from the frame'));
      const otherTab = await context.newPage();
      await otherTab.goto(`${environment.origin('app')}/login`);
      await otherTab.evaluate(() => new BroadcastChannel('apart').postMessage('from the other tab'));

      await expect
        .poll(() => page.evaluate(() => (window as unknown as { received: unknown[] }).received))
        .toEqual(['from the other tab']);
    },
  );
});
