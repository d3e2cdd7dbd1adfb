import type {
  AllowedUrl,
  Broadcast,
  MessageChannelPort,
  OauthStates,
  Popup,
  PopupWindow,
  Provider,
} from '@shared/ports/ports';

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
export interface FakePopupWindow extends PopupWindow {
  /** The addresses to which it was navigated, in order. */
  readonly visited: readonly string[];
  readonly closedByPage: () => boolean;
  /** The user closes it, or the provider's page severs it. */
  readonly seemClosed: () => void;
  /** The page that was loading arrives, and the browser ignores the close at that moment. */
  readonly outliveClose: () => void;
  /** Our own page in it posts to its opener, naming the flow that it was opened for. */
  readonly say: (message: object) => void;
  /** What the opener posted to it. */
  readonly heard: readonly object[];
  /** The connection to the opener, as the page inside the window has it. */
  readonly inside: MessageChannelPort;
  /** How many listeners the opener has; a finished flow must have removed its own. */
  readonly listenerCount: () => number;
}

export interface FakePopup extends Popup {
  readonly openBlank: () => FakePopupWindow | null;
  readonly windows: readonly FakePopupWindow[];
  /** From now on the browser blocks windows. */
  readonly block: () => void;
  /** From now on it allows them again. */
  readonly allow: () => void;
  readonly closedSelf: () => boolean;
}

export function createFakePopup(opener: MessageChannelPort | null = null): FakePopup {
  const windows: FakePopupWindow[] = [];
  let blocked = false;
  let closedSelf = false;
  return {
    windows,
    opener,
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

function createWindow(): FakePopupWindow {
  const visited: string[] = [];
  const heard: object[] = [];
  const listeners = new Set<(message: object) => void>();
  const insideListeners = new Set<(message: object) => void>();
  // As the real one: a copy.
  const post = (all: ReadonlySet<(message: object) => void>, message: object) => {
    for (const listener of [...all]) listener({ ...message });
  };
  let closed = false;
  let closedByPage = false;
  return {
    visited,
    heard,
    go: (url: AllowedUrl) => void visited.push(url),
    isClosed: () => closed,
    close: () => {
      closed = true;
      closedByPage = true;
    },
    closedByPage: () => closedByPage,
    seemClosed: () => {
      closed = true;
    },
    outliveClose: () => {
      closed = false;
    },
    say: (message) => post(listeners, { ...message, state: stateOf(visited.at(-1)) }),
    inside: {
      post: (message) => post(listeners, message),
      subscribe: (listener) => {
        insideListeners.add(listener);
        return () => void insideListeners.delete(listener);
      },
    },
    listenerCount: () => listeners.size,
    post: (message) => {
      heard.push(message);
      post(insideListeners, message);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Stored states of one browser. */
export function createFakeOauthStates(): OauthStates & {
  readonly stored: ReadonlyMap<string, Provider>;
  /** From now on the browser stores none. */
  readonly refuse: () => void;
} {
  const stored = new Map<string, Provider>();
  let refuses = false;
  return {
    stored,
    refuse: () => {
      refuses = true;
    },
    store: (state, provider) => {
      if (refuses) return false;
      stored.set(state, provider);
      return true;
    },
    read: (state) => stored.get(state) ?? null,
    remove: (state) => void stored.delete(state),
  };
}

/** The state of an authorization URL. */
const stateOf = (address = 'about:blank'): string | null => new URL(address).searchParams.get('state');
