import { test, type BrowserContext } from '@playwright/test';
import { DrivenContext } from './drivenContext';
import { isDriven } from './engine';
import { RecordingProxy } from './recordingProxy';
import { openScreen, openWebKit } from './openWebKit';

/** Pages and contexts of a browser that WebDriver drives, in a browser of its own for each test. */
const driven = test.extend<object, { readonly display: string }>({
  display: [
    async ({}, use) => {
      const screen = await openScreen();
      await use(screen.display);
      await screen.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ baseURL, display }, use) => {
    const address = new URL(baseURL ?? '');
    const proxy = await RecordingProxy.open(Number(address.port));
    const { session, close } = await openWebKit(display, proxy.host);
    const context = await DrivenContext.over(session, proxy, address.origin);
    await use(context as unknown as BrowserContext);
    await context.close();
    await close();
    proxy.close();
  },
  page: async ({ context }, use) => {
    await use(await context.newPage());
  },
});

/** The test on which every journey builds, in the engine that was asked for. */
export const engineTest = isDriven ? driven : test;
