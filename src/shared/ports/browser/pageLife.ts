import type { PageLife, PageLifeEvent } from '../ports';

/** The time limit for a response, ms. After it the host counts as unreachable. */
const hostLimitMs = 5000;

/** Visibility, back/forward cache and connectivity, as one stream of events. */
export function createPageLife(browser: Window): PageLife {
  const { document, navigator } = browser;
  const isVisible = () => document.visibilityState === 'visible';
  return {
    isVisible,
    hasFocus: () => document.hasFocus(),
    isOnline: () => navigator.onLine,
    // `onLine` may be false although the host is reachable, and true without a connection.
    isHostReachable: () =>
      browser
        .fetch('/', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(hostLimitMs) })
        .then(
          () => true,
          () => false,
        ),
    subscribe: (listener) => {
      const ends = new AbortController();
      const { signal } = ends;
      const on = (type: 'online' | 'offline' | 'pagehide', event: PageLifeEvent) => {
        browser.addEventListener(
          type,
          () => {
            listener(event);
          },
          { signal },
        );
      };
      on('online', 'online');
      on('offline', 'offline');
      on('pagehide', 'left');
      browser.addEventListener(
        'pageshow',
        ({ persisted }) => {
          if (persisted) listener('restored');
        },
        { signal },
      );
      document.addEventListener(
        'visibilitychange',
        () => {
          listener(isVisible() ? 'shown' : 'hidden');
        },
        { signal },
      );
      return () => {
        ends.abort();
      };
    },
  };
}
