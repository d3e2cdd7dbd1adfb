// @ts-check
import { openColdPage, visit } from './chromium.mjs';
import { NetworkLog } from './networkLog.mjs';
import { fieldSelector, installPaintProbe, installTypingProbe, typedText } from './probe.mjs';

/** How long the typed text must stand, ms, beside network idle. */
const keptMs = 1000;
const attempts = 5;

/** @typedef {import('@playwright/test').Browser} Browser */

/**
 * One cold load without input: input ends the browser's search for the largest paint.
 *
 * @param {Browser} browser
 * @param {string} url
 * @param {import('./chromium.mjs').Profile} profile
 */
export async function measurePaint(browser, url, profile) {
  const { page, finish } = await openColdPage(browser, profile);
  const network = new NetworkLog(page);
  await page.addInitScript(installPaintProbe);
  await visit(page, url, profile, network, 'load');
  await network.untilIdle();
  // A busy machine may paint after that.
  await page.waitForFunction('paintProbe.lcp > 0', null, { polling: 100 });
  /** @type {import('./probe.mjs').PaintProbe} */
  const probe = await page.evaluate('paintProbe');
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await finish();
  return { ...probe, heap: usedSize / 1_000_000 };
}

/**
 * One cold load in which a person types as soon as the field is there. What was typed must still stand a second
 * later and after network idle; text that got lost is typed again, and the time of that counts.
 *
 * @param {Browser} browser
 * @param {string} url
 * @param {import('./chromium.mjs').Profile} profile
 */
export async function measureTyping(browser, url, profile) {
  const { page, finish, complaints } = await openColdPage(browser, profile);
  const network = new NetworkLog(page);
  /** @type {() => void} */
  let announce = () => undefined;
  /** @type {Promise<void>} */
  const ready = new Promise((resolve) => {
    announce = resolve;
  });
  let isMeasured = profile.warm !== true;
  await page.exposeBinding('benchFieldReady', () => {
    if (isMeasured) announce();
  });
  await page.addInitScript(installTypingProbe, { selector: fieldSelector, text: typedText });
  if (!isMeasured) {
    await page.goto(url);
    await network.untilIdle();
    await page.goto('about:blank');
    isMeasured = true;
  }
  await page.goto(url, { waitUntil: 'commit' });
  await orTimeout(ready, () => `No field to type in on ${url}. ${complaints.join('\n')}`);
  for (let lost = 0; lost < attempts; lost += 1) {
    if (lost > 0) await page.locator(fieldSelector).selectText();
    await page.keyboard.type(typedText);
    await Promise.all([page.waitForTimeout(keptMs), network.untilIdle()]);
    if ((await page.locator(fieldSelector).inputValue()) !== typedText) continue;
    /** @type {import('./probe.mjs').TypingProbe} */
    const { firstKeyAt, typedAt, submitAt } = await page.evaluate('typingProbe');
    const openedAt = await page.evaluate(() => performance.timeOrigin);
    const usableAt = openedAt + firstKeyAt;
    await finish();
    const submit = submitAt === 0 ? null : submitAt;
    return { typable: typedAt, submit, lost, usableAt, exchanges: network.exchanges };
  }
  throw new Error(`Text typed on ${url} was lost ${attempts} times.`);
}

/**
 * @param {Promise<void>} promise
 * @param {() => string} message
 */
async function orTimeout(promise, message) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const timeout = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message())), 30_000);
  });
  await Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
