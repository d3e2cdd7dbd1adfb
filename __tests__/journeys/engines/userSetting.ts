import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, firefox, type BrowserContext } from '@playwright/test';
import { userBrowser } from '../support/userBrowser';
import { engine, firefoxOptions } from './engine';

/** What a user, or a company's policy, may have set in a browser. */
export type UserSetting = 'no cookies' | 'no clipboard' | 'third-party cookies';

/** Files of a profile; Chromium has no setting for the clipboard, and refuses what a list of granted permissions does not name. */
const chromiumProfiles: Readonly<Record<UserSetting, object>> = {
  'no cookies': { default_content_setting_values: { cookies: 2 } },
  'no clipboard': {},
  'third-party cookies': { cookie_controls_mode: 0 },
};

const firefoxPreferences: Readonly<Record<UserSetting, Readonly<Record<string, number | boolean>>>> = {
  'no cookies': { 'network.cookie.cookieBehavior': 2 },
  'no clipboard': { 'dom.allow_cut_copy': false },
  'third-party cookies': { 'network.cookie.cookieBehavior': 0 },
};

/** WebKitGTK's own browser takes them as arguments. */
export const webKitArguments: Readonly<Record<UserSetting, readonly string[]>> = {
  'no cookies': ['--cookies-policy=never'],
  'no clipboard': ['--features=!AsyncClipboardAPI'],
  'third-party cookies': ['--cookies-policy=always'],
};

/** A browser with its own profile on disk; Playwright's contexts are private windows, which store less. */
interface Profile {
  readonly context: BrowserContext;
  /** Closes the browser and deletes the profile. */
  readonly close: () => Promise<void>;
}

/** Starts Chromium or Firefox with a fresh profile that has this setting. */
export async function openProfile(setting: UserSetting, baseURL: string): Promise<Profile> {
  const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
  const context = await (engine === 'firefox' ? openFirefox : openChromium)(folder, setting, baseURL);
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openChromium(folder: string, setting: UserSetting, baseURL: string): Promise<BrowserContext> {
  mkdirSync(path.join(folder, 'Default'));
  const profile = chromiumProfiles[setting];
  writeFileSync(path.join(folder, 'Default', 'Preferences'), JSON.stringify({ profile }));
  const permissions = setting === 'no clipboard' ? { permissions: [] } : {};
  return await chromium.launchPersistentContext(folder, { ...userBrowser(), baseURL, ...permissions });
}

async function openFirefox(folder: string, setting: UserSetting, baseURL: string): Promise<BrowserContext> {
  const { channel, launchOptions } = firefoxOptions;
  const firefoxUserPrefs = { ...launchOptions.firefoxUserPrefs, ...firefoxPreferences[setting] };
  return await firefox.launchPersistentContext(folder, {
    ...launchOptions,
    channel,
    baseURL,
    firefoxUserPrefs,
  });
}
