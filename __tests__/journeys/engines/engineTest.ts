import { test, type BrowserContext } from '@playwright/test';
import { DrivenContext } from './drivenContext';
import { isDriven } from './engine';
import { RecordingProxy } from './recordingProxy';
import { openScreen, openWebKit, type Screen } from './openWebKit';
import { openProfile, webKitArguments, type UserSetting } from './userSetting';

interface EngineOptions {
  /** What the user has set in the browser; without it, everything is as it came. */
  readonly userSetting: UserSetting | null;
}

/** Pages and contexts of a browser that Playwright drives. */
const played = test.extend<EngineOptions>({
  userSetting: [null, { option: true }],
  context: async ({ context, userSetting, baseURL }, use) => {
    if (userSetting === null) {
      await use(context);
      return;
    }
    const profile = await openProfile(userSetting, baseURL ?? '');
    await use(profile.context);
    await profile.close();
  },
});

/** Pages and contexts of a browser that WebDriver drives, in a browser of its own for each test. */
const driven = test.extend<EngineOptions, { readonly surface: Screen }>({
  userSetting: [null, { option: true }],
  surface: [
    async ({}, use) => {
      const screen = await openScreen();
      await use(screen);
      await screen.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ baseURL, surface, userSetting }, use) => {
    const address = new URL(baseURL ?? '');
    const proxy = await RecordingProxy.open(Number(address.port));
    const { session, close } = await openWebKit(
      surface,
      proxy.host,
      userSetting === null ? [] : webKitArguments[userSetting],
    );
    try {
      const context = await DrivenContext.over(session, proxy, address.origin);
      await use(context as unknown as BrowserContext);
      await context.close();
    } finally {
      await close();
      proxy.close();
    }
  },
  page: async ({ context }, use) => {
    await use(await context.newPage());
  },
});

/** The test on which every journey builds, in the engine that was asked for. */
export const engineTest = isDriven ? driven : played;
