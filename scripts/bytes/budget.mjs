// @ts-check

/**
 * What `/login` may cost (docs/decisions.md; kB are 1000 bytes, brotli). Counted up to network idle of a cold load
 * without input, the strictest reading: all that the field waits for comes before that. For the room in it see
 * docs/decisions.md.
 */
const budget = { js: 111_900, css: 6_000, requests: 4, serviceCalls: 0, languages: 1_200 };

/** What to do about a budget that is exceeded. */
export const rule =
  'Each budget has 0.2 kB of room. Load the code later or drop it; raise the budget only for a decision.';

/**
 * Code that belongs to other screens and must not come with `/login`, not even once the person types.
 * `marker`: property name of bundled data, for which source maps hold no trace.
 *
 * @type {readonly { name: string, packages: readonly string[], marker?: string }[]}
 */
export const forbidden = [
  { name: 'moment', packages: ['moment'] },
  { name: 'qrcode', packages: ['qrcode.react', 'qrcode'] },
  { name: 'phone data', packages: ['libphonenumber-js'], marker: 'country_calling_codes' },
];

/** @typedef {{ label: string, limit: string, figure: string, kept: boolean }} Verdict */

/**
 * @param {import('./load.mjs').Load} load
 * @param {number} languages what all languages add to `index.html`
 * @returns {Verdict[]}
 */
export function judge({ idle, afterTyping }, languages) {
  const seen = forbidden.filter(({ name }) => afterTyping.forbidden.includes(name)).map(({ name }) => name);
  return [
    bytes('JS up to network idle', idle.js, budget.js),
    bytes('CSS up to network idle', idle.css, budget.css),
    bytes('all languages in index.html', languages, budget.languages),
    count('requests up to network idle', idle.requests, budget.requests),
    count('service calls up to network idle', idle.serviceCalls, budget.serviceCalls),
    {
      label: 'moment, qrcode, phone data',
      limit: 'never',
      figure: seen.join(', ') || 'none',
      kept: seen.length === 0,
    },
  ];
}

/**
 * Rounded up, so that a figure just above its limit never reads as the limit.
 *
 * @param {number} value - bytes
 */
export const kilobytes = (value) => `${(Math.ceil(value / 100) / 10).toFixed(1)} kB`;

/**
 * @param {string} label
 * @param {number} figure
 * @param {number} limit
 * @returns {Verdict}
 */
function bytes(label, figure, limit) {
  return { label, limit: `≤ ${kilobytes(limit)}`, figure: kilobytes(figure), kept: figure <= limit };
}

/**
 * @param {string} label
 * @param {number} figure
 * @param {number} limit
 * @returns {Verdict}
 */
function count(label, figure, limit) {
  return { label, limit: `≤ ${limit}`, figure: String(figure), kept: figure <= limit };
}
