import type { LaunchOptions } from '@playwright/test';
import { findChromium } from '../../../scripts/setup/programs.mjs';

/**
 * Flags with which Playwright makes Chromium behave unlike a user's browser. Each of them hides faults of a sign-on
 * page: pop-ups that would be blocked, pages from the back/forward cache, timers that a hidden tab
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
 * Playwright's own list without `ThirdPartyStoragePartitioning`, which would let a page in another site's frame share
 * channels and storage with its pop-up, as in no user's browser. Chromium uses the last of two such arguments, and
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

/** The address bar's suggestions: two pages in their own process, which cost every window 1.2 s of processor time. */
const browserUi = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

/** Without this, Chromium draws with an emulated graphics processor, which costs a sixth of its processor time. */
const withoutGraphicsProcessor = '--disable-gpu';

/** How Chromium is started for every journey: as a user's, as far as a test can control it. */
export function userBrowser(): LaunchOptions {
  return {
    executablePath: findChromium() ?? '',
    ignoreDefaultArgs: automationFlags,
    args: [
      `--disable-features=${[...switchedOffFeatures, ...browserUi].join(',')}`,
      withoutGraphicsProcessor,
    ],
  };
}
