import { setTimeout } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../version.ts';

/** What is measured again at each scrape. */
export interface Watched {
  readonly hashQueues: readonly {
    readonly load: () => { readonly running: number; readonly waiting: number };
  }[];
  /** Of the connections to the database; `waiting`: calls that wait for one. */
  readonly connections: () => { readonly total: number; readonly idle: number; readonly waiting: number };
  /** Asks the database. @throws when it does not answer. */
  readonly outbox: () => Promise<OutboxLength>;
}

/** Messages that are not sent yet, and those that were given up. */
export interface OutboxLength {
  readonly waiting: number;
  readonly failed: number;
  /** Age of the oldest that waits; 0 where none does. */
  readonly oldestSeconds: number;
}

/** What an operator watches: docs/operations.md#metrics-and-alerts. The values of labels are of bounded sets, never a caller's. */
export interface Metrics {
  /** Everything, in Prometheus' terms. */
  readonly registry: Registry;
  /** @param outcome `success`, `pending`, or the code of a refusal. */
  readonly countEvent: (event: string, method: string | null, outcome: string) => void;
  /** @param operation the contract's name of the call. */
  readonly timeRequest: (operation: string, status: number, seconds: number) => void;
  /** Begins to time how long a hash waits for its turn. @returns ends it. */
  readonly timeHashWait: () => () => void;
  readonly countBackgroundFailure: (work: string) => void;
}

/** Alerts are about their first time too, which an increase shows only where there was a zero. */
const neverMissed = {
  'refresh-reuse': ['basic', 'google', 'microsoft'],
  lockout: ['password', 'challenge', 'setup'],
};

/** Measures of one service, in a registry of its own: several may run in a process. */
export function createMetrics({ hashQueues, connections, outbox }: Watched): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const events = new Counter({
    name: 'vestibule_events_total',
    help: 'What happened, as in the audit log; refusals because of a limit or a lock are only counted here.',
    labelNames: ['event', 'method', 'outcome'],
    registers,
  });
  const requests = new Histogram({
    name: 'vestibule_request_duration_seconds',
    help: 'Calls by the name of the contract and their status.',
    labelNames: ['operation', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const hashWaits = new Histogram({
    name: 'vestibule_hash_wait_seconds',
    help: 'How long password hashes waited for their turn.',
    buckets: [0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const backgroundFailures = new Counter({
    name: 'vestibule_background_failures_total',
    help: 'Work after an answer, or by the clock, that failed.',
    labelNames: ['work'],
    registers,
  });
  new Gauge({
    name: 'vestibule_hash_queue',
    help: 'Password hashes that are computed, and that wait for their turn.',
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
  const lengthOfOutbox = recent(outbox);
  new Gauge({
    name: 'vestibule_outbox_messages',
    help: 'Mails and text messages that wait, and that were given up; of all processes together, 10000 at most.',
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
    help: 'Age of the oldest mail or text message that waits, of all processes together; 0 where none waits.',
    registers,
    async collect() {
      const length = await lengthOfOutbox();
      if (length === null) this.remove();
      else this.set(length.oldestSeconds);
    },
  });
  new Gauge({
    name: 'vestibule_build_info',
    help: 'Always 1; its labels say what runs.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1);

  for (const [event, methods] of Object.entries(neverMissed)) {
    for (const method of methods) events.inc({ event, method, outcome: 'failure' }, 0);
  }
  return {
    registry,
    countEvent: (event, method, outcome) => {
      events.inc({ event, method: method ?? '', outcome });
    },
    timeRequest: (operation, status, seconds) => {
      requests.observe({ operation, status }, seconds);
    },
    timeHashWait: () => {
      const end = hashWaits.startTimer();
      return () => {
        end();
      };
    },
    countBackgroundFailure: (work) => {
      backgroundFailures.inc({ work });
    },
  };
}

const cacheMilliseconds = 10_000;
const timeoutMs = 2_000;

/** What was asked for within the last 10 s, or is now; `null` when there is no answer within 2 s: the other metrics do not wait for it. */
function recent<Value>(ask: () => Promise<Value>): () => Promise<Value | null> {
  let asked = -Infinity;
  let answer: Promise<Value | null> = Promise.resolve(null);
  return () => {
    if (performance.now() - asked > cacheMilliseconds) {
      asked = performance.now();
      answer = ask().catch(() => null);
    }
    return Promise.race([answer, setTimeout(timeoutMs, null, { ref: false })]);
  };
}
