import type { BrowserContext, Page } from '@playwright/test';

/**
 * Playwright emulates focus in every page, and nothing gives it to a window on WebKit's screen. In a user's browser a new window takes
 * the focus, and a press or a key returns it to the page.
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
    // The window's own event, which does not bubble: a field in the page may receive the focus on its own.
    addEventListener('focus', () => (isHere = true));
  });
}

/** The user returns to the page, for example because the window in front of it was closed. */
export async function focusPage(page: Page): Promise<void> {
  await page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
}
