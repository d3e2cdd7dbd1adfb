import { setTimeout } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { commit, version } from '../../version.ts';

/** Values that are read at each scrape. */
export interface Watched {
  readonly auditEvents: Readonly<
    Record<string, { readonly countedFromZero?: Readonly<Record<string, readonly string[]>> }>
  >;
  /** The names of work after responses. */
  readonly works: readonly string[];
  /** The channels of messages. */
  readonly channels: readonly string[];
  readonly hashQueues: readonly {
    readonly load: () => { readonly running: number; readonly waiting: number };
  }[];
  /** Connections to the database; `waiting`: calls that wait for one. */
  readonly connections: () => { readonly total: number; readonly idle: number; readonly waiting: number };
  /** How far the clock of this machine is ahead of the database's, in seconds. */
  readonly clockAheadSeconds: () => number;
  /** Whether this process should get calls, as `/ready` says. */
  readonly isReady: () => Promise<boolean>;
  /** Queries the database. @throws if it does not respond. */
  readonly outbox: () => Promise<OutboxLength>;
  readonly texts: {
    /** Queries the database. @throws as `outbox`. */
    readonly counted: () => Promise<number>;
    readonly limit: number;
  };
}

/** Counts of unsent messages, and of those that were given up. */
export interface OutboxLength {
  readonly waiting: number;
  readonly failed: number;
  /** Age of the oldest waiting message, in seconds; 0 if none waits. */
  readonly oldestSeconds: number;
}

/** Metrics: docs/operations.md#metrics-and-alerts. Values of labels come from bounded sets, never from a caller. */
export interface Metrics {
  /** All metrics, for Prometheus. */
  readonly registry: Registry;
  /** @param outcome `success`, `pending`, or the code of a refusal. */
  readonly countEvent: (event: string, method: string | null, outcome: string) => void;
  /** @param operation the `operationId` of the contract. */
  readonly timeRequest: (operation: string, status: number, seconds: number) => void;
  /** Starts to measure how long a hash waits in the queue. @returns ends the measurement. */
  readonly timeHashWait: () => () => void;
  /** @param times 0 to count from zero, so that `increase()` shows the first failure. */
  readonly countBackgroundFailure: (work: string, times?: number) => void;
  /** Counts a message that is not tried again. */
  readonly countGivenUp: (channel: string) => void;
  /** A request has an `X-Forwarded-For` that is not believed. */
  readonly countUntrustedForwarding: () => void;
}

/** Other requests, such as those of `/ready`, are no calls. The outcome of a call in `vestibule_calls_total`, by the least status that has it. */
const callOutcomes = [
  [500, 'failed'],
  [430, 'refused'],
  [429, 'limited'],
  [400, 'refused'],
  [0, 'success'],
] as const;

/** Creates the metrics of one service, in a separate registry: several services may run in a process. */
export function createMetrics(watched: Watched): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const { events, requests, calls, hashWaits, backgroundFailures, givenUp, untrusted } =
    createCounters(registry);
  watchProcess(registry, watched);
  // Last, because these query the database: the connections that they wait for are no sign of load.
  watchMessages(registry, watched);
  new Gauge({
    name: 'vestibule_ready',
    help: 'Whether the process should get calls (1), as /ready says, or not (0).',
    registers,
    async collect() {
      this.set(Number(await watched.isReady()));
    },
  });
  new Gauge({
    name: 'vestibule_build_info',
    help: 'Always 1; its labels are the versions that run.',
    labelNames: ['version', 'commit', 'node'],
    registers,
  }).set({ version, commit, node: process.versions.node }, 1);

  for (const [event, { countedFromZero = { success: [''] } }] of Object.entries(watched.auditEvents)) {
    for (const [outcome, methods] of Object.entries(countedFromZero))
      for (const method of methods) events.inc({ event, method, outcome }, 0);
  }
  for (const [, outcome] of callOutcomes) calls.inc({ outcome }, 0);
  for (const work of watched.works) backgroundFailures.inc({ work }, 0);
  for (const channel of watched.channels) givenUp.inc({ channel }, 0);
  return {
    registry,
    countEvent: (event, method, outcome) => {
      events.inc({ event, method: method ?? '', outcome });
    },
    timeRequest: (operation, status, seconds) => {
      requests.observe({ operation, status }, seconds);
      if (operation !== 'none')
        calls.inc({ outcome: callOutcomes.find(([least]) => status >= least)?.[1] ?? 'failed' });
    },
    timeHashWait: () => {
      const end = hashWaits.startTimer();
      return () => {
        end();
      };
    },
    countBackgroundFailure: (work, times = 1) => {
      backgroundFailures.inc({ work }, times);
    },
    countGivenUp: (channel) => {
      givenUp.inc({ channel });
    },
    countUntrustedForwarding: () => {
      untrusted.inc();
    },
  };
}

/** What is counted and timed as it happens. */
function createCounters(registry: Registry) {
  const registers = [registry];
  const events = new Counter({
    name: 'vestibule_events_total',
    help: 'Events of the audit log, and refusals by a limit or a lockout. outcome: success, pending, or the code of the refusal.',
    labelNames: ['event', 'method', 'outcome'],
    registers,
  });
  const requests = new Histogram({
    name: 'vestibule_request_duration_seconds',
    help: 'Duration of calls, by operation of the contract and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const calls = new Counter({
    name: 'vestibule_calls_total',
    help: 'Calls by outcome: success, refused, limited (429), failed (5xx).',
    labelNames: ['outcome'],
    registers,
  });
  const hashWaits = new Histogram({
    name: 'vestibule_hash_wait_seconds',
    help: 'How long password hashes waited in the queue.',
    buckets: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const backgroundFailures = new Counter({
    name: 'vestibule_background_failures_total',
    help: 'Failures of work after a response, and of periodic work.',
    labelNames: ['work'],
    registers,
  });
  const givenUp = new Counter({
    name: 'vestibule_messages_given_up_total',
    help: 'Messages that are not tried again: refused for good, or their time was over.',
    labelNames: ['channel'],
    registers,
  });
  const untrusted = new Counter({
    name: 'vestibule_untrusted_forwarding_total',
    help: 'Requests with X-Forwarded-For of an address that is not in TRUSTED_PROXIES.',
    registers,
  });
  return { events, requests, calls, hashWaits, backgroundFailures, givenUp, untrusted };
}

/** The hash queues, the connections and the clock of this process. */
function watchProcess(registry: Registry, { hashQueues, connections, clockAheadSeconds }: Watched): void {
  const registers = [registry];
  new Gauge({
    name: 'vestibule_clock_ahead_seconds',
    help: "How far the clock of the process is ahead of the database's. With more than 300, or less than -300, the process does nothing.",
    registers,
    collect() {
      this.set(clockAheadSeconds());
    },
  });
  new Gauge({
    name: 'vestibule_hash_queue',
    help: 'Password hashes that are running, and that wait in the queue.',
    labelNames: ['state'],
    registers,
    collect() {
      const loads = hashQueues.map(({ load }) => load());
      const running = loads.reduce((sum, load) => sum + load.running, 0);
      const waiting = loads.reduce((sum, load) => sum + load.waiting, 0);
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'vestibule_database_connections',
    help: 'Connections to the database in use and idle, and calls that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { total, idle, waiting } = connections();
      this.set({ state: 'used' }, total - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
}

/** The messages of all processes. */
function watchMessages(registry: Registry, { outbox, texts }: Watched): void {
  const registers = [registry];
  const lengthOfOutbox = recent(outbox);
  new Gauge({
    name: 'vestibule_outbox_messages',
    help: 'Mails and text messages that wait, and that were given up; for all processes together, at most 10000.',
    labelNames: ['state'],
    registers,
    async collect() {
      const length = await lengthOfOutbox();
      this.reset();
      if (length === null) return;
      this.set({ state: 'waiting' }, length.waiting);
      this.set({ state: 'failed' }, length.failed);
    },
  });
  new Gauge({
    name: 'vestibule_outbox_oldest_seconds',
    help: 'Age of the oldest mail or text message that waits, for all processes together; 0 if none waits.',
    registers,
    async collect() {
      const length = await lengthOfOutbox();
      if (length === null) this.remove();
      else this.set(length.oldestSeconds);
    },
  });
  const countedTexts = recent(texts.counted);
  new Gauge({
    name: 'vestibule_text_messages',
    help: 'Text messages that were requested in the current hour, for all processes together, and their limit.',
    labelNames: ['state'],
    registers,
    async collect() {
      const counted = await countedTexts();
      this.reset();
      this.set({ state: 'limit' }, texts.limit);
      if (counted !== null) this.set({ state: 'requested' }, counted);
    },
  });
}

const cacheMilliseconds = 10_000;
const timeoutMs = 2_000;

/** Caches a value for 10 s. `null` if it is not available within 2 s, so that it does not delay the other metrics. */
function recent<Value>(load: () => Promise<Value>): () => Promise<Value | null> {
  let loadedAt = -Infinity;
  let value: Promise<Value | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - loadedAt > cacheMilliseconds) {
      loadedAt = performance.now();
      value = load().catch(() => null);
    }
    return Promise.race([value, setTimeout(timeoutMs, null, { ref: false })]);
  };
}
