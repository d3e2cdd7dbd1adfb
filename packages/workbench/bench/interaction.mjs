// @ts-check
import { unthrottled } from '../../../scripts/bytes/chromium.mjs';
import { spread } from './times.mjs';

const runs = 5;
const profile = { ...unthrottled, cpu: 4 };

/** @typedef {import('./plainChromium.mjs').PlainPage} PlainPage */
/** @typedef {import('./times.mjs').Spread} Spread */

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {Spread} longest - longest task until the page is quiet again, ms; 0 when none exceeds 50
 * @property {Spread} pressed - longest time from a press to the next paint, ms, in steps of 8
 */

/**
 * What a user does, and the condition that the page meets afterwards.
 *
 * @type {readonly { name: string, go: (page: PlainPage) => Promise<void>, until: string }[]}
 */
const steps = [
  {
    name: 'the first letter, and the chunks that it fetches',
    go: (page) => page.type('a'),
    until: `performance.getEntriesByType('resource').some(({ name }) => name.includes('/method-step'))`,
  },
  {
    name: 'more letters',
    go: async (page) => {
      await page.type('d');
      await page.type('a');
    },
    until: `document.querySelector('[name=username]').value === 'ada'`,
  },
  {
    name: 'Remember Me',
    go: (page) => page.click('[name=rememberMe]'),
    until: `document.querySelector('[name=rememberMe]').checked`,
  },
  {
    name: 'Next, until the password can be typed',
    go: (page) => page.click('[type=submit]'),
    until: `document.activeElement.type === 'password'`,
  },
  {
    name: 'Show Password',
    go: (page) => page.click('[aria-pressed]'),
    until: `document.querySelector('[autocomplete="current-password"]').type === 'text'`,
  },
];

/**
 * What a person does on the first step after the code has taken it over, on a processor of a quarter.
 *
 * @param {import('./plainChromium.mjs').PlainChromium} chromium
 * @param {string} loginUrl
 * @returns {Promise<readonly Step[]>}
 */
export async function measureInteraction(chromium, loginUrl) {
  /** @type {{ longest: number, pressed: number }[][]} */
  const taken = [];
  // Run 0 warms the browser and the server up and is thrown away.
  for (let run = 0; run <= runs; run += 1) {
    const seen = await measureRun(await chromium.openPage(profile), loginUrl);
    if (run > 0) taken.push(seen);
  }
  return steps.map(({ name }, index) => ({
    name,
    longest: spread(taken.map((run) => run[index]?.longest ?? null)),
    pressed: spread(taken.map((run) => run[index]?.pressed ?? null)),
  }));
}

/** @param {PlainPage} page @param {string} loginUrl */
async function measureRun(page, loginUrl) {
  await page.open(loginUrl);
  await page.until(`location.pathname === '/login' && document.readyState === 'complete'`);
  await page.until(`!document.querySelector('form[data-inline-login]')`);
  await quiet();
  await page.evaluate(`(${watch})()`);
  await page.evaluate(`document.querySelector('[name=username]').focus()`);
  await quiet();
  const seen = [];
  for (const { go, until } of steps) {
    await page.evaluate(`seen.tasks = []; seen.presses = []`);
    await go(page);
    await page.until(until);
    await quiet();
    seen.push(
      await page.evaluate(`({ longest: Math.max(0, ...seen.tasks), pressed: Math.max(0, ...seen.presses) })`),
    );
  }
  await page.close();
  return seen;
}

/** Long enough for chunks from this machine, and for their code. */
const quiet = () => new Promise((resolve) => setTimeout(resolve, 700));

/** Runs in the page. */
function watch() {
  /** @type {{ tasks: number[], presses: number[] }} */
  const seen = { tasks: [], presses: [] };
  Object.assign(globalThis, { seen });
  /** @type {(type: string, take: (duration: number) => void) => void} */
  const observe = (type, take) => {
    const options = { type, durationThreshold: 16 };
    new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => take(duration))).observe(
      options,
    );
  };
  observe('longtask', (duration) => seen.tasks.push(duration));
  observe('event', (duration) => seen.presses.push(duration));
}
