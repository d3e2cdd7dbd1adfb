import type { Page } from '@playwright/test';

/**
 * Stops the clock of a page, which was installed before, so that what is shown for a moment stays; it is moved on by
 * hand, or resumed. It stops 10 s on: a time that has passed by the arrival of the word is refused.
 */
export async function pauseClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
}
