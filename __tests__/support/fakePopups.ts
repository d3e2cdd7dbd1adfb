import type { AllowedUrl, Broadcast, MessageChannelPort, Provider } from '@shared/ports/ports';

/** Channels that all windows of one browser share; session channels, open as long as a page, are not counted. */
export function createFakeBroadcast(): Broadcast & { readonly openChannels: () => readonly string[] } {
  const open = new Map<string, Set<{ hear: Set<(message: object) => void> }>>();
  return {
    openChannels: () =>
      [...open].filter(([name, ends]) => ends.size > 0 && !name.endsWith('-session')).map(([name]) => name),
    open: (name) => {
      const ends = open.get(name) ?? new Set();
      open.set(name, ends);
      const end = { hear: new Set<(message: object) => void>() };
      ends.add(end);
      return {
        post: (message) => {
          // As the real one: to every other end, and as a copy.
          for (const other of [...ends])
            if (other !== end) for (const hear of [...other.hear]) hear({ ...message });
        },
        subscribe: (listener) => {
          end.hear.add(listener);
          return () => void end.hear.delete(listener);
        },
        close: () => void ends.delete(end),
      };
    },
  };
}

/** A window that the page opened, with the controls that a test needs. */
export type FakePopupWindow = ReturnType<typeof createWindow>;
export type FakePopup = ReturnType<typeof createFakePopup>;
export function createFakePopup(opener: MessageChannelPort | null = null) {
  const windows: FakePopupWindow[] = [];
  let blocked = false;
  let closedSelf = false;
  return {
    windows,
    opener,
    /** From now on the browser blocks windows. */
    block: () => {
      blocked = true;
    },
    allow: () => {
      blocked = false;
    },
    closeSelf: () => {
      closedSelf = true;
    },
    closedSelf: () => closedSelf,
    openBlank: () => {
      if (blocked) return null;
      const window = createWindow();
      windows.push(window);
      return window;
    },
  };
}

function createWindow() {
  const visited: string[] = [];
  const heard: object[] = [];
  const listeners = new Set<(message: object) => void>();
  const insideListeners = new Set<(message: object) => void>();
  // As the real one: a copy.
  const post = (all: ReadonlySet<(message: object) => void>, message: object) => {
    for (const listener of [...all]) listener({ ...message });
  };
  const subscribeTo = (all: typeof listeners) => (listener: (message: object) => void) => {
    all.add(listener);
    return () => void all.delete(listener);
  };
  let closed = false;
  let closedByPage = false;
  return {
    /** The addresses to which it was navigated, in order. */
    visited,
    /** What the opener posted to it. */
    heard,
    go: (url: AllowedUrl) => void visited.push(url),
    isClosed: () => closed,
    close: () => {
      closed = true;
      closedByPage = true;
    },
    closedByPage: () => closedByPage,
    /** The user closes it, or the provider's page severs it. */
    seemClosed: () => {
      closed = true;
    },
    /** The page that was loading arrives, and the browser ignores the close at that moment. */
    outliveClose: () => {
      closed = false;
    },
    /** Our own page in it posts to its opener, naming the flow that it was opened for. */
    say: (message: object) => post(listeners, { ...message, state: stateOf(visited.at(-1)) }),
    /** The connection to the opener, as the page inside the window has it. */
    inside: { post: (message: object) => post(listeners, message), subscribe: subscribeTo(insideListeners) },
    /** How many listeners the opener has; a finished flow must have removed its own. */
    listenerCount: () => listeners.size,
    post: (message: object) => {
      heard.push(message);
      post(insideListeners, message);
    },
    subscribe: subscribeTo(listeners),
  };
}

/** Stored states of one browser. */
export function createFakeOauthStates() {
  const stored = new Map<string, Provider>();
  let refuses = false;
  return {
    stored: stored as ReadonlyMap<string, Provider>,
    /** From now on the browser stores none. */
    refuse: () => {
      refuses = true;
    },
    store: (state: string, provider: Provider) => {
      if (refuses) return false;
      stored.set(state, provider);
      return true;
    },
    read: (state: string) => stored.get(state) ?? null,
    remove: (state: string) => void stored.delete(state),
  };
}

/** The state of an authorization URL. */
const stateOf = (address = 'about:blank'): string | null => new URL(address).searchParams.get('state');
