// @ts-check
// What runs inside the measured page. These functions are sent as text, so they use nothing from outside.

/** What is typed; short, because only the first moment counts. */
export const typedText = 'ada';

export const fieldSelector = 'input[autocomplete~="username"]';

/**
 * @typedef {object} TypingProbe
 * @property {boolean} ready - the field stands there, and has the focus
 * @property {number} firstKeyAt - when the field showed the first character, ms since navigation; 0 before
 * @property {number} typedAt - when the field showed the whole text, ms since navigation; 0 before
 * @property {number} submitAt - when the submit button was enabled with it, ms since navigation; 0 before
 */

/**
 * Focuses the field as soon as it stands there; notes when it shows the text and when
 * the form can be sent. Observers instead of polling: a poll would cost the page what it measures.
 *
 * @param {{ selector: string, text: string }} wanted
 */
export function installTypingProbe({ selector, text }) {
  /** @type {TypingProbe} */
  const probe = { ready: false, firstKeyAt: 0, typedAt: 0, submitAt: 0 };
  Object.assign(globalThis, { typingProbe: probe });
  const look = () => {
    const field = document.querySelector(selector);
    if (!(field instanceof HTMLInputElement) || field.disabled || field.readOnly) return;
    if (!probe.ready && field.getClientRects().length > 0) {
      field.focus();
      probe.ready = true;
    }
    const submit = field.form?.querySelector('button:not([type]), [type="submit"]');
    const alive = submit?.matches(':disabled, [aria-disabled="true"]') === false;
    if (field.value === text && alive && probe.submitAt === 0) probe.submitAt = performance.now();
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true });
  document.addEventListener('DOMContentLoaded', look);
  // Stylesheets block the first layout, and their arrival causes no mutation.
  window.addEventListener('load', look);
  const typed = (/** @type {Event} */ { target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(selector)) return;
    if (target.value.length === 1) probe.firstKeyAt = performance.now();
    if (target.value !== text) return;
    probe.typedAt = performance.now();
    // Text that was lost before does not count, nor what it brought to life.
    probe.submitAt = 0;
    look();
  };
  // Capturing: before the page's own listeners, which may load something at the first key.
  document.addEventListener('input', typed, { capture: true });
}
