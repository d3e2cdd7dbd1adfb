import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type BrowserContext, type LaunchOptions } from '@playwright/test';

/**
 * Flags with which Playwright makes Chromium behave as no user's browser does. Each of them hides faults of a sign-on
 * page: pop-ups that would be blocked, pages that come back from the back/forward cache, timers that a hidden tab
 * slows down.
 */
const automationFlags = [
  '--disable-popup-blocking',
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/**
 * Playwright's own list less `ThirdPartyStoragePartitioning`, without which a page in another site's frame shares
 * channels and storage with its pop-up, as it does in no browser. Chromium takes the last of two such arguments, and
 * ours comes after Playwright's.
 */
const switchedOffFeatures = [
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'MediaRouter',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'PaintHolding',
];

/** The address bar's suggestions: two pages in a process of their own, which cost every window 1.2 s of processor time. */
const browserUi = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** How Chromium is started for every journey: as a user's, so far as a test can drive it. */
export function userBrowser(): LaunchOptions {
  return {
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    ignoreDefaultArgs: automationFlags,
    args: [`--disable-features=${[...switchedOffFeatures, ...browserUi].join(',')}`],
  };
}

/** A browser with a profile of its own on the disk; Playwright's contexts are private windows, which keep less. */
interface Profile {
  readonly context: BrowserContext;
  /** Ends the browser and forgets the profile. */
  readonly close: () => Promise<void>;
}

/** Starts Chromium with a fresh profile in which its owner has chosen what happens to third-party cookies. */
export async function openProfile(options: {
  readonly baseURL: string;
  readonly thirdPartyCookies: boolean;
}): Promise<Profile> {
  const folder = mkdtempSync(path.join(tmpdir(), 'profile-'));
  mkdirSync(path.join(folder, 'Default'));
  const profile = { cookie_controls_mode: options.thirdPartyCookies ? 0 : 1 };
  writeFileSync(path.join(folder, 'Default', 'Preferences'), JSON.stringify({ profile }));
  const context = await chromium.launchPersistentContext(folder, {
    ...userBrowser(),
    baseURL: options.baseURL,
  });
  return {
    context,
    close: async () => {
      await context.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
