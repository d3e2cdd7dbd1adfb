import type { Page } from '@playwright/test';

/** Calls that have been sent and are not answered, for as long as a test needs to look. */
export interface HeldCalls {
  /** How many the page has made so far. */
  readonly count: () => number;
  /** Lets them through to the service, now and from now on. */
  readonly release: () => void;
}

/** Holds a page's calls to a path of the service: a slow service whose slowness no slow machine can outlast. */
export async function holdCalls(page: Page, path: RegExp): Promise<HeldCalls> {
  let count = 0;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    (url) => path.test(url.pathname),
    async (route) => {
      count += 1;
      await released;
      await route.continue();
    },
  );
  return { count: () => count, release };
}
