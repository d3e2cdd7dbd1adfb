import type { Page } from '@playwright/test';

/**
 * Stops the clock of a page, which was installed before, so that what is shown briefly stays; it is then advanced
 * manually, or resumed. It stops 10 s ahead: a time that has passed when the command arrives is rejected.
 */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
}
