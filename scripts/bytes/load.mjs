// @ts-check
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { forbidden } from './budget.mjs';
import { packageOf, readSources } from './bundle.mjs';
import { openColdPage, unthrottled } from './chromium.mjs';
import { inlineBytes } from './inlineBytes.mjs';
import { NetworkLog } from './networkLog.mjs';
import { fieldSelector, installTypingProbe, typedText } from './probe.mjs';

/** @typedef {import('./networkLog.mjs').Exchange} Exchange */

/**
 * @typedef {object} Weight - all sizes in bytes, brotli
 * @property {number} js - with scripts that stand in the page itself
 * @property {number} css - with styles that stand in the page itself
 * @property {number} html
 * @property {number} other
 * @property {number} requests
 * @property {number} serviceCalls - requests to another origin
 * @property {string[]} scripts - paths of the JS files
 * @property {{ path: string, bytes: number }[]} files - what came over the wire, in the order of the requests
 * @property {string[]} forbidden - names of what must not be there
 */

/** @typedef {{ beforeUsable: Weight, idle: Weight, afterTyping: Weight }} Load */

/**
 * What `/login` loads, unthrottled: before the username can be typed, up to network idle without a touch, and up to
 * network idle after typing (what the first keystroke warms).
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {string} loginUrl
 * @param {string} distFolder
 * @returns {Promise<Load>}
 */
export async function measureLoad(browser, loginUrl, distFolder) {
  const untouched = await openColdPage(browser, unthrottled);
  const network = new NetworkLog(untouched.page);
  await untouched.page.goto(loginUrl);
  await network.untilIdle();
  await untouched.finish();

  const typed = await openColdPage(browser, unthrottled);
  const typedNetwork = new NetworkLog(typed.page);
  await typed.page.addInitScript(installTypingProbe, { selector: fieldSelector, text: typedText });
  await typed.page.goto(loginUrl, { waitUntil: 'commit' });
  await typed.page.waitForFunction('globalThis.typingProbe?.ready', null, { polling: 10 });
  await typed.page.keyboard.type(typedText);
  await typed.page.waitForFunction('typingProbe.typedAt > 0');
  await typedNetwork.untilIdle();
  const usableAt = await typed.page.evaluate('performance.timeOrigin + typingProbe.firstKeyAt');
  await typed.finish();

  const { exchanges } = typedNetwork;
  const early = exchanges.filter(({ startedAt }) => startedAt < usableAt);
  return {
    beforeUsable: weigh(early, distFolder),
    idle: weigh(network.exchanges, distFolder),
    afterTyping: weigh(exchanges, distFolder),
  };
}

/**
 * @param {readonly Exchange[]} exchanges
 * @param {string} distFolder
 * @returns {Weight}
 */
export function weigh(exchanges, distFolder) {
  /** @type {Weight} */
  const weight = {
    js: 0,
    css: 0,
    html: 0,
    other: 0,
    requests: exchanges.length,
    serviceCalls: 0,
    scripts: [],
    files: [],
    forbidden: [],
  };
  for (const exchange of exchanges) {
    if (exchange.url.origin !== exchanges[0]?.url.origin) {
      weight.serviceCalls += 1;
      continue;
    }
    const kind = kindOf(exchange);
    const bytes = bytesOf(exchange, kind);
    weight[kind] += bytes;
    weight.files.push({ path: exchange.url.pathname, bytes });
    if (kind === 'js') weight.scripts.push(exchange.url.pathname);
  }
  const inline = inlineBytes(readFileSync(path.join(distFolder, 'index.html'), 'utf8'));
  weight.js += inline.js;
  weight.css += inline.css;
  weight.forbidden = forbidden
    .filter((item) => weight.scripts.some(holds(item, distFolder)))
    .map(({ name }) => name);
  return weight;
}

/**
 * @param {Exchange} exchange
 * @returns {'js' | 'css' | 'html' | 'other'}
 */
function kindOf({ isDocument, url }) {
  if (isDocument) return 'html';
  if (url.pathname.endsWith('.js')) return 'js';
  return url.pathname.endsWith('.css') ? 'css' : 'other';
}

/**
 * Size of the answer's body on the wire.
 *
 * @param {Exchange} exchange
 * @param {ReturnType<typeof kindOf>} kind
 * @throws {Error} when a file that has a brotli copy came without it, or did not come at all.
 */
function bytesOf({ url, status, headers }, kind) {
  const length = Number(headers['content-length']);
  if (status !== 200) throw new Error(`${url} was answered with ${status}.`);
  if (!Number.isInteger(length)) throw new Error(`${url} came without a Content-Length.`);
  if (kind !== 'other' && headers['content-encoding'] !== 'br')
    throw new Error(`${url} did not come in brotli.`);
  return length;
}

/**
 * @param {(typeof forbidden)[number]} item
 * @param {string} distFolder
 * @returns {(script: string) => boolean}
 */
function holds({ packages, marker }, distFolder) {
  return (script) => {
    const file = path.join(distFolder, script);
    if (readSources(file).some((source) => packages.includes(packageOf(source)))) return true;
    return marker !== undefined && readFileSync(file, 'utf8').includes(marker);
  };
}
