import type {
  Clipboard,
  Clock,
  EventStream,
  Locks,
  Log,
  TextStorage,
  PageLife,
  PageLifeEvent,
  ParentFrame,
  ParentMessage,
  PasskeyOutcome,
  Passkeys,
  PasskeySignals,
  StorageAccess,
} from '@shared/ports/ports';

/** A clock that follows `Date.now()` (and so jest's fake timers) until it is set. */
export interface FakeClock extends Clock {
  /** The user or the network changes the wall clock, ms since the epoch; the monotonic clock is unaffected. */
  readonly set: (wallMs: number) => void;
  /** Time passes for both clocks, ms; fires no timers. */
  readonly advance: (ms: number) => void;
}

export function createFakeClock(): FakeClock {
  let wallOffset = 0;
  let passed = 0;
  return {
    now: () => Date.now() + wallOffset,
    monotonic: () => performance.now() + passed,
    pause: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
    set: (wallMs) => {
      wallOffset = wallMs - Date.now();
    },
    advance: (ms) => {
      wallOffset += ms;
      passed += ms;
    },
  };
}

/** TextStorage in memory; tabs of one browser share theirs. */
export function createFakeStorage(): TextStorage & {
  readonly contents: () => Readonly<Record<string, string>>;
} {
  const held = new Map<string, string>();
  return {
    read: (name) => held.get(name) ?? null,
    write: (name, text) => {
      if (text === null) held.delete(name);
      else held.set(name, text);
      return true;
    },
    contents: () => Object.fromEntries(held),
  };
}

/** Records the messages to the parent. */
export interface FakeParentFrame extends ParentFrame {
  readonly messages: readonly ParentMessage[];
}

/** The embedding parent; `partitioned`: a trusted parent on another site, for whose frames the browser partitions storage. */
export type FakeEmbedding = 'none' | 'trusted' | 'untrusted' | 'partitioned';

export function createFakeParentFrame(embedding: FakeEmbedding): FakeParentFrame {
  const messages: ParentMessage[] = [];
  const trusted = embedding === 'trusted' || embedding === 'partitioned';
  return {
    messages,
    embedded: embedding !== 'none',
    trusted,
    isInFamily: embedding === 'trusted',
    notify: (message) => {
      const isRepeated = message === 'removed_tokens' && messages.at(-1) === message;
      if (trusted && !isRepeated) messages.push(message);
    },
  };
}

/** A browser whose answers the test gives; it refuses until then. */
export interface FakeStorageAccess extends StorageAccess {
  /** What is found when the page opens; `askable` by default. */
  readonly expect: (outlook: Awaited<ReturnType<StorageAccess['outlook']>>) => void;
  /** What happens in the browser at the next request; `true`: it is granted. */
  readonly answer: (next: () => boolean) => void;
}

export function createFakeStorageAccess(): FakeStorageAccess {
  let outlook: Awaited<ReturnType<StorageAccess['outlook']>> = 'askable';
  let respond = () => false;
  return {
    expect: (found) => {
      outlook = found;
    },
    answer: (next) => {
      respond = next;
    },
    isShared: () => Promise.resolve(false),
    outlook: () => Promise.resolve(outlook),
    request: () => Promise.resolve(respond()),
  };
}

/** A page whose life cycle the test controls. */
export interface FakePageLife extends PageLife {
  /** Whether the host of the page can be reached; it can, until this is said. */
  readonly reachHost: (now: boolean) => void;
  /** An event of the page; `isVisible` and `isOnline` follow. */
  readonly emit: (event: PageLifeEvent) => void;
  /** The user switches to this window, or to another one. */
  readonly focus: (now: boolean) => void;
  /** How many listeners there are; finished work must have removed its own. */
  readonly listenerCount: () => number;
}

export function createFakePageLife(): FakePageLife {
  const listeners = new Set<(event: PageLifeEvent) => void>();
  let visible = true;
  let online = true;
  let reachable = true;
  let focused = true;
  return {
    isVisible: () => visible,
    isOnline: () => online,
    isHostReachable: () => Promise.resolve(reachable),
    reachHost: (now) => {
      reachable = now;
    },
    hasFocus: () => focused,
    focus: (now) => {
      focused = now;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    emit: (event) => {
      if (event === 'shown' || event === 'hidden') visible = event === 'shown';
      if (event === 'online' || event === 'offline') online = event === 'online';
      for (const listener of [...listeners]) listener(event);
    },
    listenerCount: () => listeners.size,
  };
}

/** Locks as one tab sees them; tabs of one browser share `held`. */
export function createFakeLocks(held: Set<string>, pageLife: Pick<PageLife, 'subscribe'>): Locks {
  return {
    tryRun: async (name, work) => {
      if (held.has(name)) return { held: false };
      held.add(name);
      let ours = true;
      const release = () => {
        if (ours) held.delete(name);
        ours = false;
      };
      const unsubscribe = pageLife.subscribe((event) => {
        if (event === 'left') release();
      });
      try {
        return { held: true, value: await work() };
      } finally {
        unsubscribe();
        release();
      }
    },
  };
}

/** Stores what was reported, so that a test can search it, or look for a secret in it. */
export interface FakeLog extends Log {
  readonly warnings: readonly { readonly event: string; readonly facts: Readonly<Record<string, unknown>> }[];
  readonly errors: readonly { readonly event: string; readonly error: unknown }[];
}

export function createFakeLog(): FakeLog {
  const warnings: FakeLog['warnings'][number][] = [];
  const errors: FakeLog['errors'][number][] = [];
  return {
    warnings,
    errors,
    warn: (event, facts = {}) => void warnings.push({ event, facts }),
    error: (event, error) => void errors.push({ event, error }),
  };
}

/** A clipboard that stores what was copied, until it is set to refuse. */
export interface FakeClipboard extends Clipboard {
  readonly copied: readonly string[];
  readonly refuse: () => void;
}

export function createFakeClipboard(): FakeClipboard {
  const copied: string[] = [];
  let refuses = false;
  return {
    copied,
    refuse: () => {
      refuses = true;
    },
    copy: (text) => {
      if (!refuses) copied.push(text);
      return Promise.resolve(!refuses);
    },
  };
}

/** A browser that records what it is asked for, and cancels until the test says otherwise. */
export interface FakePasskeys extends Passkeys {
  readonly capabilities: Set<'conditionalGet' | 'conditionalCreate'>;
  /** What the next requests give, in turn; after them each is cancelled, a conditional one when it is aborted. */
  readonly gives: (...outcomes: readonly PasskeyOutcome<{ readonly id: string }>[]) => void;
  /** The requests, and those that are not over. */
  readonly asked: readonly FakePasskeyRequest[];
  readonly pending: () => readonly FakePasskeyRequest[];
  readonly signals: readonly (readonly [keyof PasskeySignals, object])[];
}

type FakePasskeyRequest = Parameters<Passkeys['get'] | Passkeys['create']>[0] & {
  readonly method: 'get' | 'create';
};

export function createFakePasskeys(): FakePasskeys {
  const outcomes: PasskeyOutcome<{ readonly id: string }>[] = [];
  const asked: FakePasskeyRequest[] = [];
  const over = new Set<FakePasskeyRequest>();
  const signals: (readonly [keyof PasskeySignals, object])[] = [];
  const ask = async (request: FakePasskeyRequest): Promise<PasskeyOutcome<never>> => {
    asked.push(request);
    const given = outcomes.shift();
    if (!given && request.conditional)
      await new Promise((resolve) => {
        request.signal.addEventListener('abort', resolve);
      });
    over.add(request);
    return (given as PasskeyOutcome<never> | undefined) ?? { kind: 'cancelled' };
  };
  const capabilities: FakePasskeys['capabilities'] = new Set();
  return {
    capabilities,
    asked,
    signals,
    gives: (...next) => void outcomes.push(...next),
    pending: () => asked.filter((request) => !over.has(request)),
    supports: (capability) => Promise.resolve(capabilities.has(capability)),
    get: (request) => ask({ ...request, method: 'get' }),
    create: (request) => ask({ ...request, method: 'create' }),
    signal: (name, details) => {
      signals.push([name, details]);
      return Promise.resolve();
    },
  };
}

/** A stream that a tab reads. */
interface OpenStream {
  readonly url: string;
  readonly bearer: string;
  readonly emit: (name: string, data: object) => void;
  readonly end: (status: number) => void;
}

/** Streams and locks of a browser, which its tabs share. */
export interface FakeEventStream extends EventStream {
  /** Those that are read now, the oldest first. */
  readonly open: () => readonly OpenStream[];
  /** How many have been opened. */
  readonly opened: () => number;
}

export function createFakeEventStream(): FakeEventStream {
  const streams = new Set<OpenStream>();
  const last = new Map<string, Promise<unknown>>();
  let opened = 0;
  return {
    open: () => [...streams],
    opened: () => opened,
    hold: async (name, signal) => {
      const over = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          resolve();
        });
      });
      const before = last.get(name);
      last.set(name, Promise.all([before, over]));
      await Promise.race([before, over]);
      return !signal.aborted;
    },
    read: ({ url, bearer, signal }, listener) =>
      new Promise((resolve) => {
        opened += 1;
        const stream: OpenStream = {
          url,
          bearer,
          emit: (name, data) => {
            listener({ name, data: JSON.stringify(data) });
          },
          end: (status) => {
            streams.delete(stream);
            resolve(status);
          },
        };
        streams.add(stream);
        signal.addEventListener('abort', () => {
          stream.end(0);
        });
      }),
  };
}
