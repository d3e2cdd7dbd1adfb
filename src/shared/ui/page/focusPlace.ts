import layout from '../layout.module.css';

/** Time in which Orca takes up the first of two focused elements, ms. */
const takenUpMs = 500;

/** Time after which Orca has left the element that the focus passed through, ms. */
const leftMs = 1000;

const isFirefox = ({ style }: HTMLElement): boolean => 'MozOrient' in style;

/**
 * In Firefox, a modal dialog removes the rest of the page from the accessibility tree when it opens. The former focus is lost to Orca,
 * which then says the button alone. So the dialog itself has the focus first.
 */
export function focusDialogFirst(dialog: HTMLElement): void {
  const button = dialog.querySelector<HTMLElement>(':focus');
  if (!isFirefox(dialog) || !button) return;
  dialog.tabIndex = -1;
  focusOneThenOther(dialog, button);
}

/**
 * The same at the end of a dialog: Orca would say nothing about a field, and take letters for commands. A microtask later, because a field
 * may take the focus while React removes the dialog.
 */
export function focusAfterDialog(ownerDocument: Document): void {
  if (!isFirefox(ownerDocument.body)) return;
  void Promise.resolve().then(() => {
    const element = ownerDocument.querySelector<HTMLElement>(':focus');
    if (element) focusOneThenOther(addPlace(ownerDocument), element);
  });
}

/**
 * Gives an empty element the focus, for as long as nothing else takes it and at most a second. When the whole page gets the focus instead,
 * Orca continues at the caret, and does not say a field that gets the focus a moment later.
 */
export function focusPlace(ownerDocument: Document): void {
  // jsdom has no animations.
  if ('animate' in ownerDocument.body) addPlace(ownerDocument).focus({ preventScroll: true });
}

/** Orca does not notice an element that can be edited and has no text. */
function addPlace(ownerDocument: Document): HTMLElement {
  const place = ownerDocument.createElement('span');
  place.className = layout['visuallyHidden'] ?? '';
  place.contentEditable = 'true';
  place.inputMode = 'none';
  place.tabIndex = -1;
  ownerDocument.body.append(place);
  afterMs(leftMs, place, () => {
    place.remove();
  });
  return place;
}

/** A key that comes in between goes to the other one. */
function focusOneThenOther(one: HTMLElement, other: HTMLElement): void {
  const { ownerDocument } = one;
  const keys = new AbortController();
  const goOn = (): void => {
    keys.abort();
    if (ownerDocument.activeElement === one) other.focus({ preventScroll: true });
  };
  one.focus({ preventScroll: true });
  ownerDocument.addEventListener('keydown', goOn, { capture: true, signal: keys.signal });
  afterMs(takenUpMs, one, goOn);
}

/** Not a timer, because the focus must move on also where a debugger or a test has stopped the timers of the page. */
function afterMs(duration: number, element: HTMLElement, listener: () => void): void {
  element.animate([], duration).addEventListener('finish', listener);
}
