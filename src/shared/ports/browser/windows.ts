import type { Broadcast, MessageChannelPort, Popup, PopupWindow } from '../ports';

const width = 480;
const height = 680;

/** Opens pop-up windows, and exchanges messages with the opener of this window. */
export function createPopup(browser: Window): Popup {
  const opener = browser.opener as Window | null;
  return {
    openBlank: () => {
      const opened = browser.open('about:blank', '_blank', nextTo(browser));
      return opened && popupWindow(browser, opened);
    },
    opener: opener && lineTo(browser, opener),
    closeSelf: () => browser.close(),
  };
}

/** The place at the right edge of the page's window, which is on the same screen and next to the status. */
function nextTo({ screenX, screenY, outerWidth, outerHeight }: Window): string {
  const left = Math.round(screenX + Math.max(0, outerWidth - width));
  const top = Math.round(screenY + Math.max(0, outerHeight - height) / 2);
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}

function popupWindow(browser: Window, opened: Window): PopupWindow {
  return {
    ...lineTo(browser, opened),
    // A severed or closed window ignores this call without an error.
    go: (url) => opened.location.replace(url),
    isClosed: () => opened.closed,
    close: () => opened.close(),
  };
}

/** The messages to and from one other window, of our own origin only. */
function lineTo(browser: Window, other: Window): MessageChannelPort {
  const { origin } = browser.location;
  return {
    post: (message) => other.postMessage(message, origin),
    subscribe: (listener) => {
      const onMessage = ({ origin: sender, source, data }: MessageEvent<unknown>): void => {
        if (sender === origin && source === other && isObject(data)) listener(data);
      };
      browser.addEventListener('message', onMessage);
      return () => browser.removeEventListener('message', onMessage);
    },
  };
}

const isObject = (data: unknown): data is object => typeof data === 'object' && data !== null;

/**
 * Channels of `BroadcastChannel`. In a browser or sandboxed frame without it, posting has no effect and no message arrives.
 */
export function createBroadcast(browser: Window & typeof globalThis): Broadcast {
  return {
    open: (name) => {
      const channel = openChannel(browser, name);
      return {
        post: (message) => channel?.postMessage(message),
        subscribe: (listener) => {
          const onMessage = ({ data }: MessageEvent<unknown>): void => {
            if (isObject(data)) listener(data);
          };
          channel?.addEventListener('message', onMessage);
          return () => channel?.removeEventListener('message', onMessage);
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
