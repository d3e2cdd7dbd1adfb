// @ts-check
import { openColdPage, slow4g } from './chromium.mjs';
import { NetworkLog } from './networkLog.mjs';

/**
 * @typedef {object} Press
 * @property {string} name
 * @property {number} delay - until the page's own code began with it, ms
 * @property {number} work - of the page's own code, ms
 * @property {number} painted - until the next paint, ms, in steps of 8
 */

/** @typedef {{ tasks: readonly number[], presses: readonly Press[] }} Interaction - `tasks`: above 50 ms, from the take-over on */

/**
 * What a person does on the first step after the code has taken it over, on a processor of a quarter: what was pressed, and
 * tasks in which the page would not have answered.
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {string} loginUrl
 * @returns {Promise<Interaction>}
 */
export async function measureInteraction(browser, loginUrl) {
  const { page, finish } = await openColdPage(browser, slow4g);
  const network = new NetworkLog(page);
  await page.goto(loginUrl);
  await page.locator('form[data-door]').waitFor({ state: 'detached' });
  await network.untilIdle();
  await page.evaluate(watchPresses);
  await page.keyboard.press('a');
  await network.untilIdle();
  await page.getByRole('checkbox').click();
  await page.keyboard.press('Space');
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Password', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show Password' }).click();
  await page.getByRole('button', { name: 'ada', exact: true }).click();
  await page.getByRole('checkbox').waitFor();
  await network.untilIdle();
  /** @type {Interaction} */
  const seen = await page.evaluate('presses');
  await finish();
  return seen;
}

/** Runs in the page. */
function watchPresses() {
  /** @type {{ tasks: number[], presses: Press[] }} */
  const seen = { tasks: [], presses: [] };
  Object.assign(globalThis, { presses: seen });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration);
  }).observe({ type: 'longtask' });
  new PerformanceObserver((list) => {
    for (const entry of /** @type {PerformanceEventTiming[]} */ (list.getEntries())) {
      if (!['keydown', 'click'].includes(entry.name)) continue;
      const { target } = entry;
      const of =
        target instanceof HTMLElement ? target.title || target.innerText || target.getAttribute('name') : '';
      seen.presses.push({
        name: `${entry.name} ${of ?? ''}`.trim(),
        delay: entry.processingStart - entry.startTime,
        work: entry.processingEnd - entry.processingStart,
        painted: entry.duration,
      });
    }
  }).observe(/** @type {PerformanceObserverInit} */ ({ type: 'event', durationThreshold: 16 }));
}
