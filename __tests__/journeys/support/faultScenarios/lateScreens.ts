import { expect } from '@playwright/test';
import { calls, type ServiceCall } from './calls';
import { linkScenarios } from './linkScenarios';
import { setupScenarios } from './setupScenarios';
import { signedInScenarios } from './signedInScenarios';
import { signInScenarios } from './signInScenarios';
import type { ScenarioFixtures, Scenario } from './scenario';

/** A screen that is left while its call is pending. */
export interface LateScreen extends Pick<Scenario, 'name' | 'open' | 'press'> {
  /** Its right answer would have a visible effect. */
  readonly call: ServiceCall;
  readonly leave: (fixtures: ScenarioFixtures) => Promise<void>;
  /** Where the user is then, and stays. */
  readonly at: RegExp;
}

function scenarioOf(name: string): Scenario {
  const found = [...signInScenarios, ...linkScenarios, ...signedInScenarios, ...setupScenarios].find(
    (scenario) => scenario.name === name,
  );
  if (!found) throw new Error(`There is no scenario called ${name}.`);
  return found;
}

/** Leaves by a link of the screen. */
const byLink =
  (name: string): LateScreen['leave'] =>
  async ({ page }) => {
    await page.getByRole('link', { name, exact: true }).click();
  };

const back: LateScreen['leave'] = async ({ page }) => {
  await page.goBack();
};

/** A screen that can be left only with the browser's Back: it was reached within the page. */
async function comeWithinThePage({ page }: ScenarioFixtures, path: string): Promise<void> {
  await page.goto('/forgot-password');
  await page.evaluate((to) => {
    history.pushState(null, '', to);
  }, path);
  await page.goBack();
  await page.goForward();
}

const methods: LateScreen = {
  ...scenarioOf('auth/v1/method'),
  // One that would open a window automatically.
  call: { ...calls.methods, right: [{ method: 'google' }] },
  open: async ({ page, login }) => {
    await page.goto('/forgot-password');
    await page.getByRole('link', { name: 'Back to Login', exact: true }).click();
    await expect(login.username).toBeVisible();
  },
  leave: back,
  at: /\/forgot-password$/,
};

const reset: LateScreen = {
  ...scenarioOf('password-reset'),
  open: async (fixtures) => {
    await comeWithinThePage(fixtures, '/reset-password/a-link');
    await expect(fixtures.passwords.password).toBeVisible();
  },
  leave: back,
  at: /\/forgot-password$/,
};

/** Each kind of screen that makes a call. */
export const lateScreens: readonly LateScreen[] = [
  methods,
  {
    ...scenarioOf('auth/v1/token'),
    leave: byLink('Forgot your password?'),
    at: /\/forgot-password$/,
  },
  { ...scenarioOf('auth/v1/token (code)'), leave: byLink('Back to Login'), at: /\/login$/ },
  { ...scenarioOf('validate-password'), leave: byLink('Settings'), at: /\/account-settings$/ },
  reset,
  { ...scenarioOf('sms-authy-add'), leave: byLink('Account Settings'), at: /\/account-settings$/ },
  {
    ...scenarioOf('validate-setup'),
    leave: byLink('Back to Phone Setup'),
    at: /\/authy-collect-info\/[^/]+$/,
  },
  { ...scenarioOf('password-reset-manual'), leave: byLink('Account Settings'), at: /\/account-settings$/ },
];
