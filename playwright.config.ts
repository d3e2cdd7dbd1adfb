import { defineConfig } from '@playwright/test';
import { driver } from './__tests__/journeys/support/engine';

/**
 * Journeys tagged `@long` run in CI, and with `TEST_LONG=1 npx playwright test FILE`. Those tagged `@desktop` depend on windows of a browser
 * or on a screen reader, so CI leaves them out: `npm test -- desktop`, `--all` and `JOURNEYS_DESKTOP=1` run them.
 */
const leftOut = [
  ...(process.env['TEST_ALL'] === '1' || process.env['TEST_LONG'] === '1' ? [] : [/@long/]),
  ...(process.env['JOURNEYS_DESKTOP'] === '1' ? [] : [/@desktop/]),
];

/** Journeys in a real browser against the production build and the real service (`npm run build` first). */
export default defineConfig({
  testDir: '__tests__/journeys',
  testMatch: '**/*.spec.ts',
  globalSetup: './__tests__/journeys/support/globalSetup.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // Each worker runs a browser and an environment with a database of its own: more of them than processors only wait.
  workers: 2,
  retries: 0,
  forbidOnly: process.env['CI'] !== undefined,
  // A machine that is busy with other work takes several times as long; nothing waits for these.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: [['line'], ['./__tests__/journeys/support/tableReporter.ts']],
  grepInvert: leftOut,
  use: {
    locale: 'en-US',
    // Neither UTC nor the machine's: the last password change is shown in the reader's own time zone.
    timezoneId: 'America/New_York',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    // A trace costs a fifth of the time: `npx playwright test FILE --trace on` draws one of a journey that fails.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Debian's Chromium comes without the encoder that Playwright expects.
    video: 'off',
    ...driver.options,
  },
});
