import type { FrameLocator, Page } from '@playwright/test';
import { LoginPage } from '../pages/LoginPage';

const signOnFrame = 'iframe[title="Sign-on page"]';

/** The frame that every parent of the local world shows. */
export function frameOf(page: Page): FrameLocator {
  return page.frameLocator(signOnFrame);
}

/** The login page inside the open parent. */
export function framedLogin(page: Page): LoginPage {
  return new LoginPage(page, frameOf(page));
}

/** Everything that any frame posts to the parent from now on, from any origin. */
export async function recordMessages(page: Page): Promise<() => Promise<readonly unknown[]>> {
  await page.addInitScript(() => {
    if (window.parent !== window) return;
    const received: unknown[] = [];
    Object.assign(window, { received });
    addEventListener('message', ({ data, origin }) => received.push({ data: data as unknown, origin }));
  });
  return () => page.evaluate(() => (window as unknown as { received: unknown[] }).received);
}
