import type { FrameLocator, Locator, Page } from '@playwright/test';
import { LoginPage } from '../pages/LoginPage';
import { expect } from './expect';

const signOnFrame = 'iframe[title="Sign-on page"]';

/** The frame that every parent of the local environment shows. */
export function frameOf(page: Page): FrameLocator {
  return page.frameLocator(signOnFrame);
}

/** Waits until the frame is as tall as its content, which moves while it grows. */
export async function untilFitted(page: Page): Promise<void> {
  const height = () => page.locator(signOnFrame).evaluate((frame) => frame.clientHeight);
  const content = () =>
    frameOf(page)
      .locator('#root')
      .evaluate((root) => Math.ceil(root.getBoundingClientRect().height));
  await expect.poll(async () => (await height()) - (await content())).toBe(0);
}

/** The login page inside the open parent. */
export function framedLogin(page: Page): LoginPage {
  return new LoginPage(page, frameOf(page));
}

/**
 * Whether the frame's channels are those of its origin's own windows. WebKit keeps them apart in every frame whose parent is of another
 * origin.
 */
export async function sharesChannels(page: Page, signOnOrigin: string): Promise<boolean> {
  const body = frameOf(page).locator('body');
  await body.evaluate((element) => {
    new BroadcastChannel('probe').onmessage = () => {
      element.dataset['heard'] = 'yes';
    };
  }, null);
  const own = await page.context().newPage();
  // A page of the origin that runs nothing.
  await own.goto(`${signOnOrigin}/assets/none`);
  await own.evaluate(() => {
    new BroadcastChannel('probe').postMessage('');
  });
  // As long as a message between two windows takes at most.
  const heard = await body.evaluate(async (element) => {
    for (let look = 0; look < 20 && element.dataset['heard'] === undefined; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return element.dataset['heard'] === 'yes';
  }, null);
  await own.close();
  return heard;
}

/** Whether the browser keeps what the frame stores apart from what its origin's own windows do, or stores nothing for it. */
export async function isKeptApart(page: Page): Promise<boolean> {
  return await frameOf(page)
    .locator('body')
    .evaluate(async () => {
      document.cookie = 'probe=1; SameSite=None; Secure';
      const isKept = document.cookie.includes('probe=1');
      document.cookie = 'probe=; SameSite=None; Secure; Max-Age=0';
      return !isKept || !(await document.hasStorageAccess());
    }, null);
}

/** Whether a key that the driver presses arrives at this element of a frame. */
export async function hearsKeys(element: Locator): Promise<boolean> {
  await element.evaluate((one) => {
    one.addEventListener('keydown', () => (document.documentElement.dataset['heard'] = 'key'), {
      once: true,
    });
  });
  await element.press('Shift');
  return await element.evaluate(() => document.documentElement.dataset['heard'] === 'key');
}

/** Everything that any frame posts to the parent from now on, from any origin. */
export async function recordMessages(page: Page): Promise<() => Promise<readonly unknown[]>> {
  await page.addInitScript(() => {
    if (window.parent !== window) return;
    const received: unknown[] = [];
    Object.assign(window, { received });
    addEventListener('message', ({ data, origin }: MessageEvent<unknown>) => {
      // Heights depend on fonts.
      if (typeof data === 'string') received.push({ data, origin });
    });
  });
  return () => page.evaluate(() => (window as unknown as { received: unknown[] }).received);
}
