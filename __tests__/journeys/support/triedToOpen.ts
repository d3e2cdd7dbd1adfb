import type { Page } from '@playwright/test';

/**
 * Call before the page opens; what it returns resolves when the page has tried to open a window, let through or not.
 * Nothing may be asked of the page meanwhile, not even what it shows: to Chromium, whatever Playwright evaluates is an
 * action of the person, and lets the window through.
 */
export async function watchForOpening(page: Page): Promise<() => Promise<void>> {
  let tell: () => void = () => undefined;
  const tried = new Promise<void>((resolve) => {
    tell = resolve;
  });
  await page.exposeFunction('triedToOpen', () => {
    tell();
  });
  await page.addInitScript(() => {
    const open = window.open.bind(window);
    window.open = (...how) => {
      const opened = open(...how);
      (window as unknown as { triedToOpen: () => void }).triedToOpen();
      return opened;
    };
  });
  return async () => {
    await tried;
  };
}
