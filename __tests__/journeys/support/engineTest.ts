import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, test } from '@playwright/test';
import { driver, type EngineOptions, type Profile, type UserSetting } from './engine';
import { userBrowser } from './userBrowser';

/** Files of a profile; Chromium has no setting for the clipboard, and refuses what a list of granted permissions does not name. */
const chromiumProfiles: Readonly<Record<UserSetting, object>> = {
  'no cookies': { default_content_setting_values: { cookies: 2 } },
  'no clipboard': {},
  'third-party cookies': { cookie_controls_mode: 0 },
};

async function openChromium(setting: UserSetting, baseURL: string): Promise<Profile> {
  const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
  mkdirSync(path.join(folder, 'Default'));
  const profile = chromiumProfiles[setting];
  writeFileSync(path.join(folder, 'Default', 'Preferences'), JSON.stringify({ profile }));
  const permissions = setting === 'no clipboard' ? { permissions: [] } : {};
  const context = await chromium.launchPersistentContext(folder, {
    ...userBrowser(),
    baseURL,
    ...permissions,
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Pages and contexts of a browser that Playwright drives. */
const played = test.extend<EngineOptions>({
  userSetting: [null, { option: true }],
  context: async ({ context, userSetting, baseURL }, use) => {
    if (userSetting === null) {
      await use(context);
      return;
    }
    const profile = await (driver.openProfile ?? openChromium)(userSetting, baseURL ?? '');
    await use(profile.context);
    await profile.close();
  },
});

/** The test on which every journey builds, in the engine that was asked for. */
export const engineTest = driver.test ?? played;
