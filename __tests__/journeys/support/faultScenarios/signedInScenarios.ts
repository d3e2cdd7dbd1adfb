import { expect } from '@playwright/test';
import { password } from '../users';
import { calls, tokensOf } from './calls';
import {
  always,
  closeDialog,
  openProof,
  openSettingsSignedIn,
  passTimeUntil,
  pressTwice,
  serverOr,
  openAnswer,
  type ScenarioFixtures,
  type Scenario,
} from './scenario';

const newPassword = 'Harbour-gate8';
const notVerified = 'We were unable to verify your identity. Please try again.';
const noMatch =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';
const isOn = '2-Step Verification is on';

/** Enters the password on the verify screen. */
async function prove({ twoStep }: ScenarioFixtures): Promise<void> {
  await twoStep.password.fill(password);
  await pressTwice(twoStep.nextButton);
}

const expectRefusal: Scenario['expectError'] = async (fixtures, words, fault) => {
  await closeDialog(fixtures, 'Verification Error', words, fault);
};

const proofForSetup: Scenario = {
  name: 'validate-password',
  call: calls.validatePassword,
  outcome: serverOr(notVerified),
  open: async (fixtures) => {
    fixtures.service.prepare(calls.addAuthenticator);
    await openProof(fixtures, 'app');
  },
  press: prove,
  expectError: expectRefusal,
  expectNextScreen: async ({ twoStep }) => {
    await twoStep.shownKey();
  },
};

const proofForChange: Scenario = {
  name: 'validate-password (change)',
  call: calls.validatePassword,
  outcome: serverOr(noMatch),
  open: async (fixtures) => {
    await openSettingsSignedIn(fixtures, '/reset-password-verify');
  },
  press: prove,
  expectError: expectRefusal,
  expectNextScreen: async ({ passwords }) => {
    await expect(passwords.confirm).toBeVisible();
  },
};

const turnOff: Scenario = {
  name: 'disable',
  call: calls.disable,
  outcome: openAnswer(serverOr(notVerified)),
  open: async (fixtures) => {
    const { service, twoStep } = fixtures;
    for (const call of [calls.attributes, calls.authyInfo, calls.validatePassword]) service.prepare(call);
    await openSettingsSignedIn(fixtures, '/account-settings');
    await twoStep.turnOff.click();
    await twoStep.turnOffDialog.getByRole('button', { name: 'Turn Off 2-Step', exact: true }).click();
  },
  press: prove,
  expectError: expectRefusal,
  expectNextScreen: async ({ twoStep }) => {
    await expect(twoStep.turnOff).toBeVisible();
  },
};

const tryAgain = ({ twoStep }: ScenarioFixtures) =>
  twoStep.section.getByRole('button', { name: 'Try Again', exact: true });

const account: Scenario = {
  name: 'users',
  call: calls.attributes,
  outcome: always('Your 2-step status could not be loaded.'),
  open: async (fixtures) => {
    fixtures.service.prepare(calls.attributes, {});
    fixtures.service.prepare(calls.authyInfo);
    fixtures.service.prepare(calls.refresh, {});
    await openSettingsSignedIn(fixtures, '/account-settings');
    await expect(tryAgain(fixtures)).toBeVisible();
  },
  press: async (fixtures) => {
    await pressTwice(tryAgain(fixtures));
  },
  expectError: async (fixtures, words, { status }) => {
    const { page, twoStep } = fixtures;
    const failed = twoStep.section.getByText(words, { exact: true });
    // After a rejected token the call may wait for a refreshed one, which does not arrive.
    if (status === 401) await passTimeUntil(fixtures, () => failed.isVisible());
    await expect(failed).toBeVisible();
    const other = 'The date of your last password change could not be loaded.';
    await expect(page.getByText(other, { exact: true })).toBeVisible();
  },
  expectNextScreen: async ({ twoStep }) => {
    await expect(twoStep.section.getByText(/0147/)).toBeVisible();
  },
};

const activePhone: Scenario = {
  name: 'authy-info',
  call: calls.authyInfo,
  // Only logged: the method is on in any case.
  outcome: always(isOn),
  open: async ({ service, cookies }) => {
    service.prepare(calls.attributes);
    service.prepare(calls.refresh, {});
    await cookies.leaveSession(tokensOf());
  },
  press: async ({ page }) => {
    await page.goto('/mfa-activated?method=sms');
    await expect(page.getByRole('heading', { name: isOn, exact: true })).toBeVisible();
  },
  expectError: async (fixtures, words, { status }) => {
    const { page, twoStep, warnings } = fixtures;
    const isLogged = (): boolean => warnings.some((text) => text.includes('authy-info failed'));
    if (status === 401) await passTimeUntil(fixtures, isLogged);
    await expect.poll(isLogged).toBe(true);
    await expect(page.getByRole('heading', { name: words, exact: true })).toBeVisible();
    await expect(page.getByText(/phone number ends in/)).toBeHidden();
    await expect(twoStep.done).toBeVisible();
  },
};

const change: Scenario = {
  name: 'password-reset-manual',
  call: calls.change,
  outcome: openAnswer(always('There was an error resetting your password.')),
  open: async (fixtures) => {
    fixtures.service.prepare(calls.validatePassword);
    await openSettingsSignedIn(fixtures, '/reset-password-verify');
    await fixtures.twoStep.verify();
    await expect(fixtures.passwords.confirm).toBeVisible();
  },
  press: async ({ page, passwords }) => {
    await passwords.password.fill(newPassword);
    await passwords.confirm.fill(newPassword);
    await pressTwice(page.getByRole('button', { name: 'Change Password', exact: true }));
  },
  expectError: async ({ page, passwords }, words) => {
    await expect(page.getByRole('button', { name: 'Change Password', exact: true })).toBeEnabled();
    await passwords.expectError(words);
  },
  expectNextScreen: async ({ page, passwords }) => {
    await expect(passwords.savedTitle).toBeVisible();
    await page.clock.fastForward(1500);
    await expect(page).toHaveURL(/\/login$/);
  },
  nextScreenIsBrief: true,
};

/** The calls of a signed-in user, except those that set up a second step. */
export const signedInScenarios: readonly Scenario[] = [
  proofForSetup,
  proofForChange,
  turnOff,
  account,
  activePhone,
  change,
];
