import type {
  Documents,
  EventStream,
  Locks,
  PageLife,
  PageLifeEvent,
  ParentMessage,
  PasskeyOutcome,
  Passkeys,
  PasskeySignals,
  StorageAccess,
} from '@shared/ports/ports';

/** A clock that follows `Date.now()` (and so jest's fake timers) until it is set. */
export type FakeClock = ReturnType<typeof createFakeClock>;
export function createFakeClock() {
  let wallOffset = 0;
  let passed = 0;
  return {
    now: () => Date.now() + wallOffset,
    monotonic: () => performance.now() + passed,
    pause: (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
    /** The user or the network changes the wall clock, ms since the epoch; the monotonic clock is unaffected. */
    set: (wallMs: number) => {
      wallOffset = wallMs - Date.now();
    },
    /** Time passes for both clocks, ms; fires no timers. */
    advance: (ms: number) => {
      wallOffset += ms;
      passed += ms;
    },
  };
}

/** TextStorage in memory; tabs of one browser share theirs. */
export function createFakeStorage() {
  const held = new Map<string, string>();
  return {
    read: (name: string) => held.get(name) ?? null,
    write: (name: string, text: string | null) => {
      if (text === null) held.delete(name);
      else held.set(name, text);
      return true;
    },
    contents: (): Readonly<Record<string, string>> => Object.fromEntries(held),
  };
}

/** The embedding parent; `partitioned`: a trusted parent on another site, for whose frames the browser partitions storage. */
export type FakeEmbedding = 'none' | 'trusted' | 'untrusted' | 'partitioned';

/** Records the messages to the parent. */
export type FakeParentFrame = ReturnType<typeof createFakeParentFrame>;
export function createFakeParentFrame(embedding: FakeEmbedding) {
  const messages: ParentMessage[] = [];
  const trusted = embedding === 'trusted' || embedding === 'partitioned';
  return {
    messages,
    embedded: embedding !== 'none',
    trusted,
    isInFamily: embedding === 'trusted',
    notify: (message: ParentMessage) => {
      const isRepeated = message === 'removed_tokens' && messages.at(-1) === message;
      if (trusted && !isRepeated) messages.push(message);
    },
  };
}

type Outlook = Awaited<ReturnType<StorageAccess['outlook']>>;
/** A browser whose answers the test gives; it refuses until then. */
export type FakeStorageAccess = ReturnType<typeof createFakeStorageAccess>;
export function createFakeStorageAccess() {
  let outlook: Outlook = 'askable';
  let respond = () => false;
  return {
    /** What is found when the page opens; `askable` by default. */
    expect: (found: Outlook) => {
      outlook = found;
    },
    /** What happens in the browser at the next request; `true`: it is granted. */
    answer: (next: () => boolean) => {
      respond = next;
    },
    isShared: () => Promise.resolve(false),
    outlook: () => Promise.resolve(outlook),
    request: () => Promise.resolve(respond()),
  };
}

/** A page whose life cycle the test controls. */
export type FakePageLife = ReturnType<typeof createFakePageLife>;
export function createFakePageLife() {
  const listeners = new Set<(event: PageLifeEvent) => void>();
  let visible = true;
  let online = true;
  let reachable = true;
  let focused = true;
  return {
    isVisible: () => visible,
    isOnline: () => online,
    isHostReachable: () => Promise.resolve(reachable),
    /** Whether the host of the page can be reached. Default: `true`. */
    reachHost: (now: boolean) => {
      reachable = now;
    },
    hasFocus: () => focused,
    /** The user switches to this window, or to another one. */
    focus: (now: boolean) => {
      focused = now;
    },
    subscribe: (listener: (event: PageLifeEvent) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** An event of the page; `isVisible` and `isOnline` follow. */
    emit: (event: PageLifeEvent) => {
      if (event === 'shown' || event === 'hidden') visible = event === 'shown';
      if (event === 'online' || event === 'offline') online = event === 'online';
      for (const listener of [...listeners]) listener(event);
    },
    /** How many listeners there are; finished work must have removed its own. */
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
export type FakeLog = ReturnType<typeof createFakeLog>;
export function createFakeLog() {
  const warnings: { readonly event: string; readonly facts: Readonly<Record<string, unknown>> }[] = [];
  const errors: { readonly event: string; readonly error: unknown }[] = [];
  return {
    warnings,
    errors,
    warn: (event: string, facts: Readonly<Record<string, unknown>> = {}) =>
      void warnings.push({ event, facts }),
    error: (event: string, error: unknown) => void errors.push({ event, error }),
  };
}

/** A clipboard that stores what was copied, until it is set to refuse. */
export type FakeClipboard = ReturnType<typeof createFakeClipboard>;
export function createFakeClipboard() {
  const copied: string[] = [];
  let refuses = false;
  return {
    copied,
    refuse: () => {
      refuses = true;
    },
    copy: (text: string) => {
      if (!refuses) copied.push(text);
      return Promise.resolve(!refuses);
    },
  };
}
/** What was saved and printed. */
export interface FakeDocuments extends Documents {
  readonly files: { readonly name: string; readonly text: string }[];
  readonly prints: () => number;
}

export function createFakeDocuments(): FakeDocuments {
  const files: FakeDocuments['files'] = [];
  let prints = 0;
  return {
    files,
    prints: () => prints,
    download: (name, text) => void files.push({ name, text }),
    print: () => {
      prints += 1;
    },
  };
}

/** A browser that records its requests, and cancels them unless the test sets another result. */
export interface FakePasskeys extends Passkeys {
  readonly capabilities: Set<Parameters<Passkeys['supports']>[0]>;
  /** The results of the next requests, in order. Later ones are cancelled, a conditional one when it is aborted. */
  readonly gives: (...outcomes: readonly PasskeyOutcome<{ readonly id: string }>[]) => void;
  /** By default it has no window for payments. */
  readonly signPayment: jest.Mock<
    Promise<PasskeyOutcome<never> | { readonly kind: 'refused' }>,
    Parameters<Passkeys['signPayment']>
  >;
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
    signPayment: jest.fn((_request) => Promise.resolve({ kind: 'failed' })),
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
  /** Its first lines arrive, with the version of the account where the service names it. */
  readonly begin: (version?: string) => void;
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
          begin: (version = '') => {
            listener({ name: 'opened', data: version });
          },
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
