import type { Page } from '@playwright/test';

/**
 * Holds the requests for these addresses until they are released, so that no machine is too slow for what happens meanwhile.
 *
 * @returns releases them, those that came and those that come.
 */
export async function holdRequests(of: Pick<Page, 'route'>, url: string | RegExp): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await of.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
