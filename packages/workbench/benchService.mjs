// @ts-check
// `npm run bench:service -w packages/workbench`: what a processor of the service carries, on a real PostgreSQL. Figures only; nothing fails a test.
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { verify } from '@node-rs/argon2';
import { printTable } from '../../scripts/bytes/report.mjs';
import { createClients, operations, peopleOf } from './bench/service/load.mjs';
import { measureOpenId, openIdEnvironment, openIdRows, peerClient } from './bench/service/openid.mjs';
import { measureStreams, streamsOfSession } from './bench/service/streams.mjs';
import { openDeployment, password, peakMegabytes, processorSeconds } from './bench/service/deployment.mjs';
import { build } from '../../scripts/setup/build.mjs';

const usage = `npm run bench:service -w packages/workbench -- OPTIONS
                        sign-ins, refreshes, methods, bearer calls of one, two and four processes
  --nodes=1             of one
  --only=refresh        other than all of signIn,refresh,methods,user,live
  --seconds=5           other than 10 for each figure
  --streams=10000       only so many open event streams of one process
  --openid              only OpenID Connect, beside the bare library and Better Auth
  --statements          also the statements of each, by the time that they take
  --profile=<folder>    also a profile of each process, for Chromium's developer tools`;

const accounts = 10_000;
/** Who of them sign in. */
const people = 100;
/** Calls at once: enough that neither the service nor the database ever waits for the load. */
const atOnce = { signIn: 16, refresh: 32, methods: 32, user: 32, live: 32 };
/**
 * Calls before the measure, of each process: what runs often is compiled better. The first thousand refreshes of a new process cost twice to
 * three times as much as those after the fifth. A sign-in is its hash.
 */
const warmUp = { signIn: 50, refresh: 6000, methods: 6000, user: 6000, live: 6000 };
/** Refreshes a second during sign-ins: do hashes delay what needs none? */
const besides = 20;

/** @type {Readonly<Record<Name, string>>} */
const titles = {
  signIn: 'password sign-in',
  refresh: 'refresh',
  methods: 'login methods',
  user: "bearer call (the bearer's account)",
  live: 'an answer alone (/live)',
};

const heading = [
  '',
  'a second',
  'a processor second of the service',
  ...['service', 'database', 'load'].map((who) => `${who}, ms each`),
  'round trips',
  'half load: p50, p99, ms',
  ...['service', 'database', 'load'].map((who) => `${who}, processors`),
];

/** @typedef {keyof typeof operations} Name */

try {
  const options = readOptions(process.argv.slice(2));
  if (options === null) console.log(usage);
  else await bench(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** @typedef {{ names: Name[], nodes: number[], seconds: number, streams: number, openid: boolean, statements: boolean, profile: string | null }} Options */

/**
 * @param {string[]} args
 * @returns {Options | null} `null` where help was asked for.
 */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      help: { type: 'boolean', default: false },
      nodes: { type: 'string', default: '1,2,4' },
      openid: { type: 'boolean', default: false },
      only: { type: 'string', default: Object.keys(operations).join(',') },
      profile: { type: 'string' },
      seconds: { type: 'string', default: '10' },
      statements: { type: 'boolean', default: false },
      streams: { type: 'string', default: '0' },
    },
  });
  if (values.help) return null;
  const names = Object.keys(operations).filter((name) => values.only.split(',').includes(name));
  const nodes = values.nodes.split(',').map(Number);
  const seconds = Number(values.seconds);
  const streams = Number(values.streams);
  const isWhole = [...nodes, seconds, streams + 1].every((value) => Number.isInteger(value) && value > 0);
  if (names.length !== values.only.split(',').length || !isWhole) throw new Error(usage);
  const { openid, statements, profile = null } = values;
  return { names: /** @type {Name[]} */ (names), nodes, seconds, streams, openid, statements, profile };
}

/** @param {Options} options */
async function bench(options) {
  const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
  build(projectFolder, 'service');
  const deployment = await openDeployment(accounts);
  try {
    const persons = peopleOf(people);
    if (options.streams > 0) await benchStreams(deployment, options.streams);
    else if (options.openid) await benchOpenId(deployment, options.profile);
    else for (const count of options.nodes) await measureNodes(deployment, persons, count, options);
  } finally {
    await deployment.close();
  }
  const [processor] = cpus();
  console.log(
    `\n${availableParallelism()} processors (${processor?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.versions.node}, PostgreSQL ${deployment.version};` +
      ` the load, the service and the database share them. Load at the end: ${loadavg()[0]?.toFixed(1)}.`,
  );
}

/** @typedef {import('./bench/service/deployment.mjs').TestDeployment} TestDeployment */

/** @param {TestDeployment} deployment @param {number} streams */
async function benchStreams(deployment, streams) {
  const [node] = await deployment.startNodes(1, null);
  if (node === undefined) return;
  const persons = peopleOf(Math.ceil(streams / streamsOfSession));
  const clients = createClients(persons, [node]);
  try {
    await clients.repeat(operations.signIn, { atOnce: 4, count: persons.length });
    const figures = await measureStreams(deployment, node, persons);
    const ms = (/** @type {number} */ microseconds) => (microseconds / 1000).toFixed(1);
    const { before, after } = figures.memory;
    const added = after - before;
    printTable(`${figures.streams.toLocaleString('en')} open event streams of one process`, [
      ['memory of the process without them, with them', `${before.toFixed(0)}, ${after.toFixed(0)} MB`],
      [
        'memory that they add, and for each',
        `${added.toFixed(0)} MB, ${((added * 1000) / figures.streams).toFixed(1)} kB`,
      ],
      [
        'processor time of a comment to all of them, every 20 s',
        `${(figures.comments * 1000).toFixed(0)} ms`,
      ],
      [
        'from the statement that changes an account to the event in its ten streams: p50, p99',
        `${ms(figures.single.percentile(50))}, ${ms(figures.single.percentile(99))} ms`,
      ],
      [
        'from the statement that ends all sessions to the event in the first stream, in the last',
        `${ms(figures.ends.min)}, ${ms(figures.ends.max)} ms`,
      ],
      ['processor time of the end of all sessions', `${(figures.all * 1000).toFixed(0)} ms`],
    ]);
  } finally {
    clients.leave();
    await node.stop();
  }
}

/** @param {TestDeployment} deployment @param {string | null} profile */
async function benchOpenId(deployment, profile) {
  const [service] = await deployment.startNodes(1, profile, openIdEnvironment);
  if (service === undefined) return;
  const library = await deployment.startPeer('library', profile, peerClient);
  const betterAuth = await deployment.startPeer('betterAuth', profile, peerClient);
  const persons = peopleOf(atOnce.signIn);
  const clients = createClients(persons, [service]);
  try {
    await clients.repeat(operations.signIn, { atOnce: 4, count: persons.length });
    const measured = await measureOpenId(deployment, { service, library, betterAuth }, persons);
    printTable(
      'OpenID Connect beside the bare library and Better Auth, in turn: medians',
      openIdRows(measured),
    );
  } finally {
    clients.leave();
    for (const node of [service, library, betterAuth]) await node.stop();
  }
}

/** @typedef {{ readonly nodes: readonly import('./bench/service/deployment.mjs').ServiceNode[], readonly clients: import('./bench/service/load.mjs').Clients }} Scene */

/**
 * @param {TestDeployment} deployment
 * @param {readonly import('./bench/service/load.mjs').Person[]} persons
 * @param {number} count
 * @param {Options} options
 */
async function measureNodes(deployment, persons, count, { names, seconds, statements, profile }) {
  const nodes = await deployment.startNodes(count, profile);
  const clients = createClients(persons, nodes);
  const scene = { nodes, clients };
  try {
    // Now their networks are known, and each has a session.
    await clients.repeat(operations.signIn, { atOnce: atOnce.signIn, count: persons.length });
    const rows = [];
    for (const name of names) {
      const figures = await measure(deployment, scene, name, seconds);
      rows.push(rowOf(name, figures));
      if (statements) printStatements(name, figures);
    }
    printTable(`${count === 1 ? 'One process' : `${count} processes`} of the service`, [heading, ...rows]);
    if (names.includes('signIn')) await measureHashes(deployment, scene, seconds);
    const memory = nodes.map(({ pid }) => peakMegabytes(pid).toFixed(0));
    console.log(`  memory of a process at its highest: ${memory.join(', ')} MB`);
  } finally {
    clients.leave();
    for (const node of nodes) await node.stop();
  }
}

/**
 * @typedef {object} Figures
 * @property {number} count - calls in full load
 * @property {number} seconds - in which they were answered
 * @property {{ service: number, database: number, load: number }} used - seconds of processor time
 * @property {readonly import('./bench/service/deployment.mjs').Statement[]} statements
 * @property {Awaited<ReturnType<import('./bench/service/load.mjs').Clients['arrive']>>} half - under half of the load
 */

/**
 * @param {TestDeployment} deployment
 * @param {Scene} scene
 * @param {Name} name
 * @param {number} seconds
 * @returns {Promise<Figures>}
 */
async function measure(deployment, { nodes, clients }, name, seconds) {
  const operation = operations[name];
  await clients.repeat(operation, { atOnce: atOnce[name], count: warmUp[name] * nodes.length });
  await deployment.forgetStatements();
  const usedUp = () => ({
    service: nodes.reduce((sum, { pid }) => sum + processorSeconds(pid), 0),
    database: deployment.databaseSeconds(),
    load: processorSeconds(process.pid),
  });
  const before = usedUp();
  const full = await clients.saturate(operation, { atOnce: atOnce[name], seconds });
  const after = usedUp();
  const statements = await deployment.statements();
  const perSecond = full.count / full.seconds / 2;
  const half = await clients.arrive(operation, { perSecond, seconds: Math.max(seconds, 100 / perSecond) });
  const used = {
    service: after.service - before.service,
    database: after.database - before.database,
    load: after.load - before.load,
  };
  return { ...full, used, statements, half };
}

/**
 * Sign-ins next to the bare hashes that they consist of, and calls without a hash during sign-ins.
 *
 * @param {TestDeployment} deployment
 * @param {Scene} scene
 * @param {number} seconds
 */
async function measureHashes(deployment, { nodes, clients }, seconds) {
  /** @type {Record<'signIns' | 'hashes', { count: number, seconds: number, used: number }>[]} */
  const rounds = [];
  // The two are measured in turn, so that other load of the machine slows both.
  for (let round = 0; round < 3; round += 1) {
    const before = nodes.reduce((sum, { pid }) => sum + processorSeconds(pid), 0);
    const signIns = await clients.saturate(operations.signIn, {
      atOnce: atOnce.signIn,
      seconds: seconds / 2,
    });
    const used = nodes.reduce((sum, { pid }) => sum + processorSeconds(pid), 0) - before;
    rounds.push({ signIns: { ...signIns, used }, hashes: await hashOn(deployment.storedHash, seconds / 2) });
  }
  /** @param {'signIns' | 'hashes'} what */
  const ratesOf = (what) => {
    const sum = (/** @type {'count' | 'seconds' | 'used'} */ figure) =>
      rounds.reduce((total, round) => total + round[what][figure], 0);
    return { perSecond: sum('count') / sum('seconds'), perProcessorSecond: sum('count') / sum('used') };
  };
  const [signIns, hashes] = [ratesOf('signIns'), ratesOf('hashes')];
  const [, refreshes] = await Promise.all([
    clients.saturate(operations.signIn, { atOnce: atOnce.signIn, seconds }),
    clients.arrive(operations.refresh, { perSecond: besides, seconds }),
  ]);
  printTable('Password sign-ins next to the bare argon2id of the same cost, in turn', [
    ['', 'a second', 'a processor second'],
    ['sign-ins', signIns.perSecond.toFixed(1), signIns.perProcessorSecond.toFixed(2)],
    ['bare hashes', hashes.perSecond.toFixed(1), hashes.perProcessorSecond.toFixed(2)],
    [
      'ratio',
      (signIns.perSecond / hashes.perSecond).toFixed(2),
      (signIns.perProcessorSecond / hashes.perProcessorSecond).toFixed(2),
    ],
  ]);
  console.log(
    `  ${besides} refreshes a second while it takes all sign-ins that it can: ${timesOf(refreshes)} ms (50th, 99th percentile of ${refreshes.count})`,
  );
}

/** @param {string} stored @param {number} seconds */
async function hashOn(stored, seconds) {
  const [begin, before] = [performance.now(), processorSeconds(process.pid)];
  let count = 0;
  const one = async () => {
    while (performance.now() < begin + seconds * 1000) {
      await verify(stored, password);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, one));
  return {
    count,
    seconds: (performance.now() - begin) / 1000,
    used: processorSeconds(process.pid) - before,
  };
}

/** @param {Name} name @param {Figures} figures @returns {string[]} */
function rowOf(name, { count, seconds, used, statements, half }) {
  const trips = statements.reduce((sum, { calls }) => sum + calls, 0);
  return [
    titles[name],
    (count / seconds).toFixed(0),
    (count / used.service).toFixed(0),
    ...[used.service, used.database, used.load].map((value) => ((value / count) * 1000).toFixed(2)),
    (trips / count).toFixed(1),
    timesOf(half),
    ...[used.service, used.database, used.load].map((value) => (value / seconds).toFixed(2)),
  ];
}

/** @param {Figures['half']} times */
function timesOf({ p50, p99 }) {
  return `${p50.toFixed(1)}, ${p99.toFixed(1)}`;
}

/** @param {Name} name @param {Figures} figures */
function printStatements(name, { count, statements }) {
  printTable(`Statements of a ${titles[name]}`, [
    ['', 'of each call', 'us'],
    ...statements.map(({ query, calls, milliseconds }) => [
      query.replace(/\s+/g, ' ').slice(0, 140),
      (calls / count).toFixed(2),
      ((milliseconds / calls) * 1000).toFixed(0),
    ]),
  ]);
}
