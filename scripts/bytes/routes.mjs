// @ts-check
import { forbidden, kilobytes } from './budget.mjs';
import { openColdPage, unthrottled } from './chromium.mjs';
import { weigh } from './load.mjs';
import { NetworkLog } from './networkLog.mjs';

/** @typedef {import('@playwright/test').Page} Page */

/**
 * @typedef {object} Route
 * @property {string} name
 * @property {string} path
 * @property {number} js - budget up to network idle, bytes of brotli
 * @property {number} requests - budget, files of the page's own host with the page itself
 * @property {'session' | 'setup'} [as] - whose cookies the page finds; absent: none
 * @property {(page: Page) => Promise<void>} [go] - what the user does to get there
 * @property {string} [brings] - the one library of the `forbidden` ones that belongs here
 */

const press = (/** @type {string} */ name) => (/** @type {Page} */ page) =>
  page.getByRole('button', { name }).first().click();

/** @param {Page} page */
async function enterUsername(page) {
  await page.getByLabel('Username').fill('ada');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor();
}

/** @param {Page} page */
async function enterPassword(page) {
  await enterUsername(page);
  await page.getByLabel('Password', { exact: true }).fill('Front-door7');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByRole('heading', { name: 'Enter MFA Code' }).waitFor();
}

/** @param {Page} page */
async function enterSetupCode(page) {
  await press('Authenticator App')(page);
  await page.getByRole('link', { name: 'Continue', exact: true }).click();
  await page.waitForURL('**/verification/**');
}

/**
 * Every screen with a separate page load, and its budget: its size plus 0.2 kB (docs/decisions.md).
 *
 * @type {readonly Route[]}
 */
const routes = [
  { name: '/login, second step', path: '/login', js: 146_500, requests: 11, go: enterUsername },
  { name: '/two-auth', path: '/login', js: 159_700, requests: 18, go: enterPassword },
  { name: '/forgot-password', path: '/forgot-password', js: 121_400, requests: 8 },
  { name: '/reset-password/…', path: '/reset-password/abc', js: 123_900, requests: 8 },
  { name: '/activate/…', path: '/activate/abc', js: 123_900, requests: 8 },
  { name: '/secret-key/…', path: '/secret-key/abc', js: 146_700, requests: 11 },
  { name: '/redirect/…', path: '/redirect/abc', js: 146_700, requests: 12 },
  { name: '/unauthorized', path: '/unauthorized', js: 121_800, requests: 8 },
  {
    name: '/account-settings',
    path: '/account-settings',
    js: 168_400,
    requests: 13,
    as: 'session',
    brings: 'moment',
  },
  {
    name: '/reset-password-verify',
    path: '/reset-password-verify',
    js: 155_600,
    requests: 14,
    as: 'session',
  },
  { name: '/reset', path: '/reset?hash=abc', js: 151_600, requests: 12, as: 'session' },
  { name: '/mfa-options', path: '/mfa-options', js: 149_900, requests: 12, as: 'setup' },
  {
    name: '/authy-collect-info/…',
    path: '/mfa-options',
    js: 167_100,
    requests: 17,
    as: 'setup',
    go: press('SMS Text Message'),
    brings: 'phone data',
  },
  {
    name: '/qrcode-start/…',
    path: '/mfa-options',
    js: 162_800,
    requests: 17,
    as: 'setup',
    go: press('Authenticator App'),
    brings: 'qrcode',
  },
  {
    name: '/verification/…',
    path: '/mfa-options',
    js: 162_800,
    requests: 18,
    as: 'setup',
    go: enterSetupCode,
    brings: 'qrcode',
  },
];

/** @typedef {Route & { weight: import('./load.mjs').Weight, kept: boolean, strays: readonly string[] }} RouteVerdict */

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {{ loginUrl: string, cookies: (as: Route['as']) => readonly { name: string, value: string }[] }} server
 * @param {string} distFolder
 * @returns {Promise<RouteVerdict[]>}
 */
export async function measureRoutes(browser, server, distFolder) {
  /** @type {RouteVerdict[]} */
  const verdicts = [];
  for (const route of routes) {
    const { page, close } = await openColdPage(browser, unthrottled);
    const network = new NetworkLog(page);
    const cookies = server.cookies(route.as).map((cookie) => ({ ...cookie, url: server.loginUrl }));
    await page.context().addCookies(cookies);
    await page.goto(new URL(route.path, server.loginUrl).href);
    await route.go?.(page);
    await network.untilIdle();
    const weight = weigh(network.exchanges, distFolder);
    await close();
    const strays = weight.forbidden.filter((name) => name !== route.brings);
    const kept = weight.js <= route.js && weight.requests - weight.serviceCalls <= route.requests;
    verdicts.push({ ...route, weight, strays, kept: kept && strays.length === 0 });
  }
  return verdicts;
}

/** @param {readonly RouteVerdict[]} verdicts */
export function routeRows(verdicts) {
  return [
    ['', 'JS', 'budget', 'CSS', 'requests', 'budget', `${forbidden.map(({ name }) => name).join(', ')}`, ''],
    ...verdicts.map(({ name, js, requests, weight, strays, kept }) => [
      name,
      kilobytes(weight.js),
      `≤ ${kilobytes(js)}`,
      kilobytes(weight.css),
      String(weight.requests - weight.serviceCalls),
      `≤ ${requests}`,
      (strays.length > 0 ? strays : weight.forbidden).join(', ') || 'none',
      kept ? 'kept' : 'EXCEEDED',
    ]),
  ];
}
