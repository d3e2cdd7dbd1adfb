import type { LaunchOptions } from '@playwright/test';

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

/** How Chromium is started for every journey: as a user's, so far as a test can drive it. */
export function userBrowser(): LaunchOptions {
  return {
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    ignoreDefaultArgs: automationFlags,
    args: [`--disable-features=${switchedOffFeatures.join(',')}`],
  };
}
