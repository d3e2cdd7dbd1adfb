import type { Navigation, RawLocation } from '../ports';
import { randomId } from './crypto';

/** The content of `history.state`: a key, and the state that the caller gives. */
interface Entry {
  readonly key: string;
  readonly carried: unknown;
}

/** The part of the window that this port uses. */
type HistoryWindow = Pick<
  Window,
  'addEventListener' | 'crypto' | 'history' | 'location' | 'removeEventListener'
>;

/** The history of this window, which nothing else writes. Paths begin with a slash. */
export function createNavigation(browser: HistoryWindow): Navigation {
  const { history, location } = browser;
  const listeners = new Set<(location: RawLocation) => void>();
  const entryFor = (carried: unknown): Entry => ({ key: randomId(browser.crypto), carried });
  // The origin comes first, so that a path such as `//host` cannot name another host.
  const addressOf = (path: string) => location.origin + path;

  /** Adds a key to an entry without one: the first entry, and one that a link to a fragment has made. */
  const currentEntry = (): Entry => {
    const state: unknown = history.state;
    if (isEntry(state)) return state;
    const entry = entryFor(state);
    history.replaceState(entry, '');
    return entry;
  };
  const current = (): RawLocation => {
    const { key, carried } = currentEntry();
    return { pathname: location.pathname, search: location.search, hash: location.hash, state: carried, key };
  };
  const notifyListeners = () => {
    const now = current();
    for (const listener of [...listeners]) listener(now);
  };

  return {
    host: () => location.host,
    current,
    push: (path, state: unknown = null) => {
      history.pushState(entryFor(state), '', addressOf(path));
      notifyListeners();
    },
    replace: (path, state: unknown = null) => {
      history.replaceState(entryFor(state), '', addressOf(path));
      notifyListeners();
    },
    back: () => {
      history.back();
    },
    subscribe: (listener) => {
      if (listeners.size === 0) browser.addEventListener('popstate', notifyListeners);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) browser.removeEventListener('popstate', notifyListeners);
      };
    },
    leave: (target) => {
      location.replace(target);
    },
    reload: () => {
      location.reload();
    },
  };
}

function isEntry(state: unknown): state is Entry {
  return typeof state === 'object' && state !== null && 'key' in state && typeof state.key === 'string';
}
