import { test, type BrowserContext } from '@playwright/test';
import type { Driver, EngineOptions, UserSetting } from '../../../__tests__/journeys/support/engine';
import { DrivenContext } from './drivenContext';
import { expectDriven } from './expectDriven';
import { openScreen, openWebKit, type Screen } from './openWebKit';
import { RecordingProxy } from './recordingProxy';

/** WebKitGTK's own browser takes them as arguments. */
const settingArguments: Readonly<Record<UserSetting, readonly string[]>> = {
  'no cookies': ['--cookies-policy=never'],
  'no clipboard': ['--features=!AsyncClipboardAPI'],
  'third-party cookies': ['--cookies-policy=always'],
};

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
      userSetting === null ? [] : settingArguments[userSetting],
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

export const driver: Driver = { options: {}, test: driven, expect: expectDriven };
