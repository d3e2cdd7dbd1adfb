import type { PageLife, PageLifeEvent } from '../platform';

/** Visibility, back/forward cache and connectivity, as one stream of events. */
export function createPageLife(browser: Window): PageLife {
  const { document, navigator } = browser;
  const isVisible = () => document.visibilityState === 'visible';
  return {
    isVisible,
    hasFocus: () => document.hasFocus(),
    isOnline: () => navigator.onLine,
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
