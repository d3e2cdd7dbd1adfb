// @ts-check
import { fieldSelector, installTypingProbe, typedText } from '../../../scripts/bytes/probe.mjs';
import { installPaintProbe } from './paintProbe.mjs';

/** How long the typed text must stay, ms, in addition to network idle. */
const keptMs = 1000;
const attempts = 5;

/** Loaded, and no file for half a second. */
const idle = `document.readyState === 'complete' && performance.now() - 500 >
  Math.max(0, ...performance.getEntries().map(({ responseEnd = 0, loadEventEnd = 0 }) => Math.max(responseEnd, loadEventEnd)))`;

/** @typedef {import('./plainChromium.mjs').PlainChromium} PlainChromium */
/** @typedef {import('./plainChromium.mjs').PlainPage} PlainPage */
/** @typedef {import('../../../scripts/bytes/chromium.mjs').Profile} Profile */

/**
 * One load without input: input ends the browser's search for the largest paint.
 *
 * @param {PlainChromium} chromium
 * @param {string} url
 * @param {Profile} profile
 */
export async function measurePaint(chromium, url, profile) {
  const page = await chromium.openPage(profile);
  await page.prepare(`(${installPaintProbe})()`);
  await visit(page, url, profile);
  // A busy machine may paint after that.
  await page.until(`${idle} && paintProbe.lcp > 0`);
  /** @type {import('./paintProbe.mjs').PaintProbe} */
  const probe = await page.evaluate('paintProbe');
  const heap = await page.heap();
  await page.close();
  return { ...probe, heap: heap / 1_000_000 };
}

/**
 * One load in which a person types as soon as the field is there. What was typed must still stand a second
 * later and after network idle; text that got lost is typed again, and the time of that counts.
 *
 * @param {PlainChromium} chromium
 * @param {string} url
 * @param {Profile} profile
 */
export async function measureTyping(chromium, url, profile) {
  const page = await chromium.openPage(profile);
  const wanted = { selector: fieldSelector, text: typedText };
  await page.prepare(`(${installTypingProbe})(${JSON.stringify(wanted)})`);
  await visit(page, url, profile);
  await page.until('globalThis.typingProbe?.ready', 10);
  const field = `document.querySelector(${JSON.stringify(fieldSelector)})`;
  for (let lost = 0; lost < attempts; lost += 1) {
    if (lost > 0) await page.evaluate(`${field}.select()`);
    for (const letter of typedText) await page.type(letter);
    await new Promise((resolve) => setTimeout(resolve, keptMs));
    await page.until(idle);
    if ((await page.evaluate(`${field}.value`)) !== typedText) continue;
    /** @type {import('../../../scripts/bytes/probe.mjs').TypingProbe} */
    const { typedAt, submitAt } = await page.evaluate('typingProbe');
    await page.close();
    return { typable: typedAt, submit: submitAt === 0 ? null : submitAt, lost };
  }
  throw new Error(`Text typed on ${url} was lost ${attempts} times.`);
}

/**
 * Opens the page; in a warm profile for the second time.
 *
 * @param {PlainPage} page
 * @param {string} url
 * @param {Profile} profile
 */
async function visit(page, url, { warm }) {
  for (const address of warm ? [url, 'about:blank', url] : [url]) {
    if (address !== url) await page.until(idle);
    await page.open(address);
  }
}
