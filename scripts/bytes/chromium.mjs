// @ts-check
import { chromium } from '@playwright/test';
import { findChromium } from '../setup/programs.mjs';

/**
 * @returns {Promise<import('@playwright/test').Browser>}
 * @throws {Error} when there is no Chromium.
 */
export async function launchChromium() {
  const executablePath = findChromium();
  if (executablePath === null)
    throw new Error('No Chromium was found: install it, or name one in CHROMIUM_PATH.');
  return chromium.launch({ executablePath });
}

/**
 * @typedef {object} Profile
 * @property {string} name
 * @property {number} cpu - how many times slower the processor is
 * @property {{ latency: number, down: number, up: number } | null} network - ms, bits/s, bits/s
 * @property {boolean} [warm] - the page was loaded before, and its files are in the cache
 */

/** @type {Profile} */
export const unthrottled = { name: 'no throttling', cpu: 1, network: null };

/**
 * What DevTools' protocol calls it.
 *
 * @public the benchmarks of the workbench use it too
 * @param {NonNullable<Profile['network']>} network
 */
export const networkConditions = ({ latency, down, up }) => ({
  offline: false,
  latency,
  downloadThroughput: down / 8,
  uploadThroughput: up / 8,
});

/**
 * A page without state of earlier ones: a new context has its own cache, cookies and connections.
 * An error or warning of the page makes `finish` throw: a broken page's figures mean nothing.
 *
 * @param {import('@playwright/test').Browser} browser
 * @param {Profile} profile
 * @param {{ bypassCSP?: boolean }} [options] - `bypassCSP`: for scripts of the benchmark that the page's policy would refuse
 */
export async function openColdPage(browser, profile, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  /** @type {string[]} */
  const complaints = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // Browsers ask for this one by themselves, and z has no icon.
    if (message.location().url.endsWith('/favicon.ico')) return;
    if (message.type() === 'error') complaints.push(`${message.text()} (${message.location().url})`);
  });
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: profile.cpu });
  if (profile.network !== null) {
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', networkConditions(profile.network));
  }
  const finish = async () => {
    await context.close();
    if (complaints.length > 0) throw new Error(`The page reported errors:\n${complaints.join('\n')}`);
  };
  return { page, finish, complaints, close: () => context.close() };
}
