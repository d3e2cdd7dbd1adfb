// @ts-check
import { loadavg } from 'node:os';
import { kilobytes } from '../../../scripts/bytes/budget.mjs';
import { printTable } from '../../../scripts/bytes/report.mjs';
import { roundTripsOf } from './requestChain.mjs';

/** @typedef {import('./times.mjs').Spread} Spread */

/** @param {import('./explain.mjs').Explanation} explanation */
export function printCosts({ packages, modules }) {
  const rows = (/** @type {import('./explain.mjs').Cost[]} */ costs) => [
    ['', 'minified', 'brotli saved without it'],
    ...costs.map(({ name, minified, saved }) => [name, kilobytes(minified), kilobytes(saved)]),
  ];
  printTable('JS of /login up to network idle, by package and own folder', rows(packages));
  printTable('The same, largest own modules', rows(modules));
}

/**
 * @param {import('./times.mjs').ProfileTimes[]} results
 * @param {number} runs
 */
export function printTimes(results, runs) {
  for (const { profile, ...pages } of results) {
    printTable(
      `Times, ${profile}: median (least–most) of ${runs} loads; z: the same form as static HTML; y: the mandated libraries with a trivial form, pre-rendered`,
      [
        ['', '/login', 'z', 'y', '/login : z', '/login : y'],
        timeRow('first contentful paint, ms', 'fcp', pages),
        timeRow('largest contentful paint, ms', 'lcp', pages),
        timeRow('total blocking time, ms', 'blocking', pages),
        timeRow('longest task, ms', 'longest', pages),
        timeRow('username typed and kept, ms', 'typable', pages),
        timeRow('Next can be pressed with it, ms', 'submit', pages),
        timeRow('layout shift', 'shift', pages, 3),
        timeRow('heap, MB', 'heap', pages, 2),
        [
          'typed text lost, times',
          String(pages.app.lost),
          String(pages.z.lost),
          String(pages.y.lost),
          '',
          '',
        ],
      ],
    );
  }
  const [load = 0] = loadavg();
  console.log(
    `Ratios bind, not milliseconds: machines differ. Load of this one at the end: ${load.toFixed(1)}.`,
  );
}

/** @param {readonly import('./interaction.mjs').Step[]} steps */
export function printInteraction(steps) {
  printTable('After the take-over, CPU x4, without developer tools: median (least–most) of 5', [
    ['', 'longest task above 50 ms', 'press to paint, ms'],
    ...steps.map(({ name, longest, pressed }) => [name, written(longest, 0), written(pressed, 0)]),
  ]);
}

/** @param {readonly import('./requestChain.mjs').RequestChain[]} chains */
export function printRequestChains(chains) {
  for (const { name, chain, roundTrips, wantedAt } of chains) {
    const start = chain[0]?.startedAt ?? 0;
    printTable(
      `Sign-in, cold, slow 4G, CPU x4: ${name}: ${roundTrips} round trips, ${Math.round(wantedAt)} ms`,
      [
        ['what waited for what', 'from, ms', 'to, ms', 'round trips', ''],
        ...chain.map((trip) => [
          trip.name,
          ...[trip.startedAt, trip.finishedAt].map((at) => (at - start).toFixed(0)),
          String(roundTripsOf(trip)),
          [trip.connects && 'with its connection', trip.isAsked && 'with its preflight']
            .filter(Boolean)
            .join(', '),
        ]),
      ],
    );
  }
}

/**
 * @param {string} label
 * @param {Exclude<keyof import('./times.mjs').Figures, 'lost'>} figure
 * @param {Omit<import('./times.mjs').ProfileTimes, 'profile'>} pages
 * @param {number} [digits]
 */
function timeRow(label, figure, { app, z, y }, digits = 0) {
  const [mine, ...others] = [app[figure], z[figure], y[figure]];
  const ratios = others.map((other) =>
    mine === null || other === null || other === undefined || other.median === 0
      ? ''
      : ((mine?.median ?? 0) / other.median).toFixed(2),
  );
  return [label, ...[mine, ...others].map((one) => written(one ?? null, digits)), ...ratios];
}

/**
 * @param {Spread} spread
 * @param {number} digits
 */
function written(spread, digits) {
  if (spread === null) return 'never';
  const [median, least, most] = [spread.median, spread.least, spread.most].map((value) =>
    value.toFixed(digits),
  );
  return least === most ? String(median) : `${median} (${least}–${most})`;
}
