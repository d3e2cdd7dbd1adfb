// @ts-check
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openColdPage, unthrottled } from '../../../scripts/bytes/chromium.mjs';
import { NetworkLog } from '../../../scripts/bytes/networkLog.mjs';

/**
 * The yardstick `z`: the first step of `/login` as it stands on the screen, as one static HTML file with its styles
 * inside and no script. Taken from the page itself, so that the two always look the same.
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {string} loginUrl
 * @param {string} distFolder
 * @returns {Promise<string>}
 */
export async function snapshotForm(browser, loginUrl, distFolder) {
  const { page, finish } = await openColdPage(browser, unthrottled, { bypassCSP: true });
  const network = new NetworkLog(page);
  await page.goto(loginUrl);
  await network.untilIdle();
  const { html, sheets } = await page.evaluate(takeForm);
  await finish();
  const styles = sheets.map(({ pathname, text }) =>
    pathname === null ? text : readFileSync(path.join(distFolder, pathname), 'utf8'),
  );
  return html.replace('</head>', () => `<style>${styles.join('\n')}</style></head>`);
}

/** Runs inside the page. Only what shows the form is taken: no script, icon, manifest or preload. */
function takeForm() {
  const sheets = [...document.styleSheets].map(({ href, ownerNode }) => ({
    pathname: href === null ? null : new URL(href).pathname,
    text: ownerNode?.textContent ?? '',
  }));
  const copy = document.implementation.createHTMLDocument();
  copy.replaceChild(copy.importNode(document.documentElement, true), copy.documentElement);
  for (const element of copy.querySelectorAll('script, style, link, noscript')) element.remove();
  // Nothing would bring a disabled button to life.
  for (const button of copy.querySelectorAll('button')) button.removeAttribute('disabled');
  return { html: `<!doctype html>${copy.documentElement.outerHTML}`, sheets };
}
