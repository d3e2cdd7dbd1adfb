import layout from '../layout.module.css';

/** The time that Orca needs for the first of two focused elements, ms. */
const takenUpMs = 500;

/** The time after which Orca has left an element that had the focus, ms. */
const leftMs = 1000;

const isFirefox = ({ style }: HTMLElement): boolean => 'MozOrient' in style;

/**
 * Gives the dialog the focus before its button. In Firefox, a modal dialog removes the rest of the page from the
 * accessibility tree, and Orca would say the button alone.
 */
export function focusDialogFirst(dialog: HTMLElement): void {
  const button = dialog.querySelector<HTMLElement>(':focus');
  if (!isFirefox(dialog) || !button) return;
  dialog.tabIndex = -1;
  focusOneThenOther(dialog, button);
}

/**
 * Gives an empty text the focus before the field that gets it back after a dialog. Otherwise Orca would not say the field,
 * and would take letters for commands. This happens in a microtask, because a field may take the focus while React removes
 * the dialog.
 */
export function focusAfterDialog(ownerDocument: Document): void {
  if (!isFirefox(ownerDocument.body)) return;
  void Promise.resolve().then(() => {
    const element = ownerDocument.querySelector<HTMLElement>(':focus');
    if (element) focusOneThenOther(addPlace(ownerDocument), element);
  });
}

/**
 * Gives an empty element the focus until another takes it, or until the part shows something that does not take it. If the
 * whole page had the focus instead, Orca would continue at the caret, and would not say a field that gets the focus a moment
 * later.
 *
 * @param part - empty while its code is loading
 */
export function focusPlace(part: HTMLElement): void {
  // jsdom has no animations.
  if (!('animate' in part)) return;
  const isEmpty = (): boolean => part.isConnected && part.childElementCount === 0;
  addPlace(part.ownerDocument, isEmpty).focus({ preventScroll: true });
}

/** The empty element of a document, while it is there. */
const places = new WeakMap<Document, HTMLElement>();

/**
 * Adds the empty element, and removes it when it has left the focus for `leftMs` at least: Orca does not say a field that gets
 * the focus while the element is removed. There is never a second one, which Orca would take for the first.
 *
 * @param mayStay - whether the element may keep the focus longer than `leftMs`
 */
function addPlace(ownerDocument: Document, mayStay = () => false): HTMLElement {
  const place = places.get(ownerDocument) ?? createPlace(ownerDocument);
  for (const timer of place.getAnimations()) timer.cancel();
  const remove = (): void => {
    places.delete(ownerDocument);
    place.remove();
  };
  const check = (): void => {
    const stays = ownerDocument.activeElement === place && mayStay();
    if (!stays) place.blur();
    afterMs(leftMs, place, stays ? check : remove);
  };
  afterMs(leftMs, place, check);
  return place;
}

/** It is editable, because Orca says nothing about an editable element without text. */
function createPlace(ownerDocument: Document): HTMLElement {
  const place = ownerDocument.createElement('span');
  place.className = layout['visuallyHidden'] ?? '';
  place.contentEditable = 'true';
  place.inputMode = 'none';
  place.tabIndex = -1;
  ownerDocument.body.append(place);
  places.set(ownerDocument, place);
  return place;
}

/** Focuses one element and then the other. A key that is pressed in between goes to the other. */
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

/** Uses an animation instead of a timer, so that the focus moves on if a debugger or a test has stopped the timers. */
function afterMs(duration: number, element: HTMLElement, listener: () => void): void {
  element.animate([], duration).addEventListener('finish', listener);
}
