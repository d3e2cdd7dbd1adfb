import type { Broadcast, MessageLine, Popup, PopupWindow } from '../ports';

const width = 480;
const height = 680;

/** Pop-up windows of this page, and the line to the one that opened it. */
export function createPopup(browser: Window): Popup {
  const opener = browser.opener as Window | null;
  return {
    openBlank: () => {
      const opened = browser.open('about:blank', '_blank', beside(browser));
      return opened && popupWindow(browser, opened);
    },
    opener: opener && lineTo(browser, opener),
    closeSelf: () => browser.close(),
  };
}

/** At the right edge of the page's own window: on the same screen, and beside the card that says what goes on. */
function beside({ screenX, screenY, outerWidth, outerHeight }: Window): string {
  const left = Math.round(screenX + Math.max(0, outerWidth - width));
  const top = Math.round(screenY + Math.max(0, outerHeight - height) / 2);
  return `popup,width=${width},height=${height},left=${left},top=${top}`;
}

function popupWindow(browser: Window, opened: Window): PopupWindow {
  return {
    ...lineTo(browser, opened),
    // A severed or closed window throws nothing, it merely stays where it is.
    go: (url) => opened.location.replace(url),
    isClosed: () => opened.closed,
    close: () => opened.close(),
  };
}

/** Only our own origin is written to, and only the other window itself is heard. */
function lineTo(browser: Window, other: Window): MessageLine {
  const { origin } = browser.location;
  return {
    post: (message) => other.postMessage(message, origin),
    subscribe: (listener) => {
      const hear = ({ origin: sender, source, data }: MessageEvent<unknown>): void => {
        if (sender === origin && source === other && isObject(data)) listener(data);
      };
      browser.addEventListener('message', hear);
      return () => browser.removeEventListener('message', hear);
    },
  };
}

const isObject = (data: unknown): data is object => typeof data === 'object' && data !== null;

/** BroadcastChannel; without one (an old browser, a sandboxed frame) the line is silent and the other one has to do. */
export function createBroadcast(browser: Window & typeof globalThis): Broadcast {
  return {
    open: (name) => {
      const channel = openChannel(browser, name);
      return {
        post: (message) => channel?.postMessage(message),
        subscribe: (listener) => {
          const hear = ({ data }: MessageEvent<unknown>): void => {
            if (isObject(data)) listener(data);
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
