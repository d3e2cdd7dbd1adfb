import type { Broadcast } from '../platform';

/** BroadcastChannel; without one (an old browser, a sandboxed frame) the line is silent and the other one has to do. */
export function createBroadcast(browser: Window & typeof globalThis): Broadcast {
  return {
    open: (name) => {
      const channel = openChannel(browser, name);
      return {
        post: (message) => channel?.postMessage(message),
        subscribe: (listener) => {
          const hear = ({ data }: MessageEvent<unknown>): void => {
            if (typeof data === 'object' && data !== null) listener(data);
          };
          channel?.addEventListener('message', hear);
          return () => channel?.removeEventListener('message', hear);
        },
        close: () => channel?.close(),
      };
    },
  };
}

function openChannel(browser: Window & typeof globalThis, name: string): BroadcastChannel | undefined {
  try {
    return new browser.BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
