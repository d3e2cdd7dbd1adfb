import type { Navigation, RawLocation } from '@shared/ports/ports';

/** The page while Redux DevTools shows the past (docs/behaviour.md#state-and-secrets). */
export interface TimeTravelPage {
  /** The history. It returns the present's address, whatever the address bar shows. */
  readonly navigation: Navigation;
  /** Lets the address bar show this path, without a new history entry; `null`: the present's own address. */
  readonly showAddress: (path: string | null) => void;
  /** Keeps the focus where it is when a screen renders, until the user works in the page. */
  readonly holdFocus: (held: boolean) => void;
}

type Address = Pick<RawLocation, 'pathname' | 'search' | 'hash'>;

/**
 * Makes the page of time travel. It replaces `focus` and `showModal` of all elements, so call it only if DevTools may
 * connect.
 */
export function createTimeTravelPage(
  browser: Window & typeof globalThis,
  navigation: Navigation,
): TimeTravelPage {
  const { history, location } = browser;
  /** The present addresses of the history entries that show a past address, by the keys of the entries. */
  const presents = new Map<string, Address>();
  const inPresent = (entry: RawLocation): RawLocation => ({ ...entry, ...presents.get(entry.key) });
  const write = (path: string) => {
    if (path === pathOf(location)) return;
    try {
      history.replaceState(history.state, '', location.origin + path);
    } catch {
      // A browser refuses too many changes in a short time. The next change sets the address.
    }
  };
  const showPresent = () => {
    const { key } = navigation.current();
    const present = presents.get(key);
    if (!present) return;
    write(pathOf(present));
    if (pathOf(location) === pathOf(present)) presents.delete(key);
  };
  return {
    navigation: {
      ...navigation,
      current: () => inPresent(navigation.current()),
      push: (...entry) => {
        showPresent();
        navigation.push(...entry);
      },
      replace: (...entry) => {
        showPresent();
        navigation.replace(...entry);
      },
      subscribe: (listener) => navigation.subscribe((entry) => listener(inPresent(entry))),
      reload: () => {
        showPresent();
        navigation.reload();
      },
    },
    showAddress: (path) => {
      if (path === null) {
        showPresent();
        return;
      }
      const { key, pathname, search, hash } = navigation.current();
      if (!presents.has(key)) presents.set(key, { pathname, search, hash });
      write(path);
    },
    holdFocus: createFocusHold(browser),
  };
}

const pathOf = ({ pathname, search, hash }: Address): string => pathname + search + hash;

const leaving = ['blur', 'focusout'];

function swallow(event: Event): void {
  event.stopImmediatePropagation();
}

/** Replaces `focus` and `showModal` of all elements; while held, neither takes the focus, until the user works in the page. */
export function createFocusHold(browser: Window & typeof globalThis): TimeTravelPage['holdFocus'] {
  let held = false;
  const { document, HTMLElement, HTMLDialogElement } = browser;
  const { focus } = HTMLElement.prototype as { focus: (this: HTMLElement, options?: FocusOptions) => void };
  const { showModal } = HTMLDialogElement.prototype as { showModal: (this: HTMLDialogElement) => void };
  HTMLElement.prototype.focus = function (options) {
    if (!held) focus.call(this, options);
  };
  HTMLDialogElement.prototype.showModal = function () {
    if (!held) {
      showModal.call(this);
      return;
    }
    // The dialog removes the focus from a field. Listeners must not take that for an event of the user.
    for (const event of leaving) browser.addEventListener(event, swallow, { capture: true });
    showModal.call(this);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    for (const event of leaving) browser.removeEventListener(event, swallow, { capture: true });
  };
  const release = () => {
    held = false;
  };
  for (const input of ['pointerdown', 'keydown']) browser.addEventListener(input, release, { capture: true });
  return (hold) => {
    held = hold;
  };
}
