// @ts-check
import { openColdPage } from '../../../scripts/bytes/chromium.mjs';
import { slow4g } from './profiles.mjs';

/** A request may be recorded this much earlier than the response that it waited for, ms. */
const slackMs = 3;
/** The throttled browser may need longer than Playwright waits by itself, ms. */
const patienceMs = 60_000;
const runsOfEach = 3;

/** @typedef {import('@playwright/test').Page} Page */

/**
 * @typedef {object} Trip
 * @property {string} name - method or kind, and path
 * @property {number} startedAt - ms since 1970
 * @property {number} finishedAt - ms since 1970; `Infinity` while it is under way
 * @property {boolean} connects - a new connection was opened for it, which is a round trip more (and another with TLS)
 * @property {boolean} isAsked - a preflight came first, which is another round trip
 */

/**
 * @typedef {object} RequestChain
 * @property {string} name
 * @property {readonly Trip[]} chain - the requests that waited for each other, first to last
 * @property {number} roundTrips - of the chain, with its connections and preflights
 * @property {number} wantedAt - first paint of what the user wanted, ms after the start
 */

/** @param {Page} page @param {string} username */
async function enterPassword(page, username) {
  await page.getByLabel('Username').fill(username);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Password', { exact: true }).fill('Front-door7');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

/** @param {Page} page */
async function enterCode(page) {
  await page.getByRole('textbox', { name: 'MFA code' }).fill('123456');
  await page.getByRole('button', { name: 'Submit' }).click();
}

/**
 * The requests that a sign-in waits for, from an empty cache to the screen that the user wanted. The user types and presses
 * without delay.
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {{ loginUrl: string, applicationUrl: string }} server
 * @returns {Promise<RequestChain[]>}
 */
export async function measureRequestChains(browser, { loginUrl, applicationUrl }) {
  const toApplication = `${loginUrl}?url=${encodeURIComponent(applicationUrl)}`;
  return [
    await shortest(browser, 'password, to an application', toApplication, async (page) => {
      await enterPassword(page, 'password');
      await page.waitForURL(applicationUrl);
    }),
    await shortest(browser, 'code by text message, to an application', toApplication, async (page) => {
      await enterPassword(page, 'text-message');
      await enterCode(page);
      await page.waitForURL(applicationUrl);
    }),
    await shortest(browser, 'password, to the account settings', loginUrl, async (page) => {
      await enterPassword(page, 'password');
      await page.getByRole('button', { name: 'Get Started' }).waitFor();
    }),
  ];
}

/**
 * The shortest chain of several runs: a response that came before a request by chance does not do so every time.
 *
 * @param {Parameters<typeof measureRequestChain>} args
 */
async function shortest(...args) {
  /** @type {RequestChain[]} */
  const runs = [];
  for (let run = 0; run < runsOfEach; run += 1) runs.push(await measureRequestChain(...args));
  const [best] = runs.sort(
    (one, other) => one.roundTrips - other.roundTrips || one.wantedAt - other.wantedAt,
  );
  if (best === undefined) throw new Error('Nothing was measured.');
  return best;
}

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {string} name
 * @param {string} url
 * @param {(page: Page) => Promise<void>} go - ends when what is wanted is there
 * @returns {Promise<RequestChain>}
 */
async function measureRequestChain(browser, name, url, go) {
  const { page, finish } = await openColdPage(browser, slow4g);
  page.setDefaultTimeout(patienceMs);
  const trips = await noteTrips(page);
  const startedAt = Date.now();
  await page.goto(url, { waitUntil: 'commit' });
  await go(page);
  const wantedAt = await page.evaluate(paintAfter);
  await finish();
  const chain = chainBefore(wantedAt, [...trips.values()]);
  const roundTrips = chain.reduce((sum, trip) => sum + roundTripsOf(trip), 0);
  return { name, chain, roundTrips, wantedAt: wantedAt - startedAt };
}

/**
 * Every request of the page with the preflights, which only the protocol of the developer tools shows.
 *
 * @param {Page} page
 */
async function noteTrips(page) {
  /** @type {Map<string, Trip>} */
  const trips = new Map();
  /** Preflights, which may be reported before their calls, and the calls that they are for. @type {Map<string, string>} */
  const preflights = new Map();
  /** @type {Set<string>} */
  const connected = new Set();
  const session = await page.context().newCDPSession(page);
  let ahead = 0;
  session.on('Network.requestWillBeSent', ({ requestId, request, initiator, timestamp, wallTime }) => {
    const { host, pathname, protocol } = new URL(request.url);
    // Nothing waits for an icon.
    if (!protocol.startsWith('http') || pathname.endsWith('.svg')) return;
    if (initiator.type === 'preflight') {
      preflights.set(requestId, initiator.requestId ?? '');
      return;
    }
    ahead = wallTime - timestamp;
    trips.set(requestId, {
      name: `${request.method} ${host.split('.')[0]}${pathname.replace(/\.[0-9a-f]{8}\./, '.')}`,
      startedAt: wallTime * 1000,
      finishedAt: Infinity,
      get connects() {
        return connected.has(requestId);
      },
      get isAsked() {
        return [...preflights.values()].includes(requestId);
      },
    });
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const isNew = (response.timing?.connectStart ?? -1) >= 0;
    if (isNew) connected.add(preflights.get(requestId) ?? requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp }) => {
    const trip = trips.get(requestId);
    if (trip) trip.finishedAt = (timestamp + ahead) * 1000;
  });
  await session.send('Network.enable');
  return trips;
}

/** @param {Trip} trip */
export const roundTripsOf = ({ connects, isAsked }) => 1 + Number(connects) + Number(isAsked);

/** Runs in the page: when it is next painted, ms since 1970; of a page that was just opened, its first paint. */
function paintAfter() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const [first] = performance.getEntriesByName('first-contentful-paint');
      const isNew = first !== undefined && !location.pathname.startsWith('/account');
      setTimeout(() => resolve(performance.timeOrigin + (isNew ? first.startTime : performance.now())));
    });
  });
}

/**
 * Of the requests with a response before the paint, the one that was sent last; then the same before that one was sent, and so on.
 * Not the one with the last response: that may be a file that was fetched ahead.
 *
 * @param {number} paintedAt
 * @param {readonly Trip[]} trips
 * @returns {readonly Trip[]}
 */
function chainBefore(paintedAt, trips) {
  /** @type {Trip[]} */
  const chain = [];
  for (let until = paintedAt; ;) {
    const earlier = trips.filter((trip) => trip.finishedAt <= until + slackMs && !chain.includes(trip));
    const last = earlier.sort((one, other) => other.startedAt - one.startedAt)[0];
    if (last === undefined) return chain;
    chain.unshift(last);
    until = last.startedAt;
  }
}
