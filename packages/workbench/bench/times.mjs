// @ts-check
import { unthrottled } from '../../../scripts/bytes/chromium.mjs';
import { measurePaint, measureTyping } from './pageTimes.mjs';
import { slow4g, slow4gWarm } from './profiles.mjs';

/** @typedef {import('./plainChromium.mjs').PlainChromium} PlainChromium */
/** @typedef {{ median: number, least: number, most: number } | null} Spread - ms; `null`: it did not happen */

/**
 * @typedef {object} Figures
 * @property {Spread} fcp
 * @property {Spread} lcp
 * @property {Spread} blocking
 * @property {Spread} longest
 * @property {Spread} shift - no unit
 * @property {Spread} heap - MB, after a collection
 * @property {Spread} typable
 * @property {Spread} submit
 * @property {number} lost - how often typed text was lost, over all runs
 */

/** `z`: the form as static HTML; `y`: the mandated libraries with a trivial form, pre-rendered. */
/** @typedef {{ profile: string, app: Figures, z: Figures, y: Figures }} ProfileTimes */

/**
 * The three pages under every profile, in turn within each run, so that a busy machine slows all alike.
 *
 * @param {PlainChromium} chromium
 * @param {{ app: string, z: string, y: string }} pages
 * @param {number} runs
 * @returns {Promise<ProfileTimes[]>}
 */
export async function measureTimes(chromium, pages, runs) {
  /** @type {ProfileTimes[]} */
  const results = [];
  for (const profile of [unthrottled, slow4g, slow4gWarm]) {
    /** @type {{ app: Run[], z: Run[], y: Run[] }} */
    const taken = { app: [], z: [], y: [] };
    // Run 0 warms the browser and the server up and is thrown away.
    for (let run = 0; run <= runs; run += 1) {
      const app = await measureRun(chromium, pages.app, profile);
      const z = await measureRun(chromium, pages.z, profile);
      const y = await measureRun(chromium, pages.y, profile);
      if (run === 0) continue;
      taken.app.push(app);
      taken.z.push(z);
      taken.y.push(y);
    }
    results.push({
      profile: profile.name,
      app: figures(taken.app),
      z: figures(taken.z),
      y: figures(taken.y),
    });
  }
  return results;
}

/** @typedef {Awaited<ReturnType<typeof measureRun>>} Run */

/**
 * @param {PlainChromium} chromium
 * @param {string} url
 * @param {import('../../../scripts/bytes/chromium.mjs').Profile} profile
 */
async function measureRun(chromium, url, profile) {
  const paint = await measurePaint(chromium, url, profile);
  const { typable, submit, lost } = await measureTyping(chromium, url, profile);
  return { ...paint, typable, submit, lost };
}

/**
 * @param {Run[]} runs
 * @returns {Figures}
 */
function figures(runs) {
  return {
    fcp: spread(runs.map(({ fcp }) => fcp)),
    lcp: spread(runs.map(({ lcp }) => lcp)),
    blocking: spread(runs.map(({ blocking }) => blocking)),
    longest: spread(runs.map(({ longest }) => longest)),
    shift: spread(runs.map(({ shift }) => shift)),
    heap: spread(runs.map(({ heap }) => heap)),
    typable: spread(runs.map(({ typable }) => typable)),
    submit: spread(runs.map(({ submit }) => submit)),
    lost: runs.reduce((total, { lost }) => total + lost, 0),
  };
}

/**
 * @param {(number | null)[]} values
 * @returns {Spread}
 */
export function spread(values) {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  const [least] = sorted;
  const most = sorted.at(-1);
  if (least === undefined || most === undefined || sorted.length < values.length) return null;
  const upper = sorted[Math.floor(sorted.length / 2)] ?? most;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? least;
  return { median: (upper + lower) / 2, least, most };
}
