import type { BrowserContext, Page } from '@playwright/test';

/**
 * Playwright has every page believe that it has the focus. In a person's browser a window that opens takes it, and a
 * press or a key brings it back to the page.
 */
export async function followFocus(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    let isHere = true;
    document.hasFocus = () => isHere;
    const open = window.open.bind(window);
    window.open = (...how) => {
      const opened = open(...how);
      if (opened) isHere = false;
      return opened;
    };
    for (const type of ['pointerdown', 'keydown']) addEventListener(type, () => (isHere = true), true);
    // The window's own, which does not bubble: a field in the page may be given the focus by itself.
    addEventListener('focus', () => (isHere = true));
  });
}

/** The person comes back to the page, for example because the window in front of it was closed. */
export async function lookHere(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
}
