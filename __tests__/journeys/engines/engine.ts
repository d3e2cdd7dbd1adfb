import path from 'node:path';
import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test';
import { userBrowser } from '../support/userBrowser';

const engines = ['chromium', 'firefox', 'webkit'] as const;
export type Engine = (typeof engines)[number];

const asked = process.env['JOURNEYS_ENGINE'] ?? 'chromium';

/** The engine that the journeys run in: `JOURNEYS_ENGINE`, or Chromium. */
export const engine: Engine =
  engines.find((one) => one === asked) ??
  (() => {
    throw new Error(`JOURNEYS_ENGINE must be one of ${engines.join(', ')}, not '${asked}'.`);
  })();

/** WebKitGTK is driven over WebDriver, the others by Playwright. */
export const isDriven = engine === 'webkit';

/**
 * Whether the browser severs every blank window that a page with our opener policy (`same-origin-allow-popups`) sends to a provider,
 * also to one without a policy, which should keep its opener: `closed` then reads as true (docs/development.md#windows).
 */
export const seversWindows = engine === 'webkit';

/** A phone, as far as the engine's driver can make one: Chromium's has a finger and reads `<meta name="viewport">`. */
export function phoneOptions(viewport: { readonly width: number; readonly height: number }) {
  return engine === 'chromium'
    ? { viewport, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
    : { viewport };
}

/** What a driver changes in a Firefox, and would hide faults of a sign-on page: blocked pop-ups, windows that refuse to close. */
const userSettings = {
  'remote.prefs.recommended': false,
  'dom.disable_open_during_load': true,
  'dom.allow_scripts_to_close_windows': false,
};

/** What Playwright needs to start Firefox. */
export const firefoxOptions = {
  // Playwright's WebDriver BiDi: it drives a Firefox as it was released.
  channel: 'moz-firefox',
  launchOptions: { executablePath: path.join(__dirname, 'firefox.mjs'), firefoxUserPrefs: userSettings },
  // It draws over the page with a style that the content-security policy forbids.
  screenshot: 'off',
} as const;

/** What Playwright needs to start the engine. */
export function engineOptions(): Partial<PlaywrightTestOptions & PlaywrightWorkerOptions> {
  if (engine === 'chromium') return { launchOptions: userBrowser() };
  if (engine === 'webkit') return {};
  return { browserName: 'firefox', ...firefoxOptions };
}
