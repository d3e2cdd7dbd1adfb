import { expect } from '@playwright/test';
import { microsoftClientId, microsoftTenantId } from '@vestibule/local';
import { password, users } from '../users';
import { calls } from './calls';
import {
  always,
  closeDialog,
  isTrouble,
  pressTwice,
  serverOr,
  type ScenarioFixtures,
  type Scenario,
} from './scenario';

const noMatch =
  'We were unable to match the User ID and password you entered. Please check your entries and try again.';

const atSettings = async ({ page }: ScenarioFixtures): Promise<void> => {
  await expect(page).toHaveURL(/\/account-settings$/);
};

const methods: Scenario = {
  name: 'auth/v1/method',
  call: calls.methods,
  outcome: always('No Login Methods available'),
  open: async ({ login }) => {
    await login.open();
  },
  press: async ({ login }) => {
    await login.typeUsername(users.ada);
    await pressTwice(login.nextButton);
  },
  expectError: async (fixtures, words, fault) => {
    await closeDialog(fixtures, 'Login Error', words, fault);
  },
  expectNextScreen: async ({ login }) => {
    await expect(login.password).toBeVisible();
  },
};

const token: Scenario = {
  name: 'auth/v1/token',
  call: calls.token,
  outcome: serverOr(noMatch),
  open: async ({ login, service }) => {
    service.prepare(calls.methods);
    service.prepare(calls.attributes);
    service.prepare(calls.authyInfo);
    await login.open();
    await login.enterUsername(users.ada);
  },
  press: async ({ login }) => {
    await login.typePassword(password);
    await pressTwice(login.signInButton);
  },
  expectError: async (fixtures, words, fault) => {
    await closeDialog(fixtures, 'Login Error', words, fault);
    expect(await fixtures.cookies.names()).toEqual([]);
  },
  expectNextScreen: atSettings,
};

const noAccess = 'Your account has no access';

const byProvider: Scenario = {
  name: 'auth/v1/token (provider)',
  call: calls.token,
  outcome: serverOr(noAccess),
  open: async (fixtures) => {
    const { login, service, openProvider } = fixtures;
    const configuration = { tenantId: microsoftTenantId, clientId: microsoftClientId };
    service.prepare(calls.methods, [{ method: 'microsoft', configuration }]);
    service.prepare(calls.attributes);
    service.prepare(calls.authyInfo);
    // From here on the provider has a session, and its window returns automatically.
    service.prepare(calls.token, {});
    await login.open();
    const window = await openProvider(() => login.enterUsername(users.microsoftOnly));
    await window.finish();
    await closeDialog(fixtures, 'Login Error', noAccess);
  },
  press: async ({ login, openProvider }) => {
    await openProvider(() => login.microsoft.click());
  },
  expectError: async (fixtures, words, fault) => {
    await closeDialog(fixtures, 'Login Error', words, fault);
    expect(await fixtures.cookies.names()).toEqual([]);
  },
  expectNextScreen: atSettings,
};

/** To the second step, with a text message or an app. */
async function openChallenge({ login, codes, service }: ScenarioFixtures): Promise<void> {
  service.prepare(calls.methods);
  service.prepare(calls.attributes);
  service.prepare(calls.authyInfo);
  service.prepare(calls.token, { mfaRequired: true, mfaType: 'authy', authVerificationToken: 'asked' });
  await login.open();
  await login.signInAs(users.ada, password);
  await codes.expectAtSignIn();
}

const secondStep: Scenario = {
  name: 'auth/v1/token (code)',
  call: calls.token,
  // One dialog for it; the server's message only for a lockout (docs/behaviour.md#errors).
  outcome: always('Incorrect code. Please enter verification code again.'),
  open: openChallenge,
  press: async ({ codes }) => {
    if ((await codes.code.inputValue()) === '') await codes.type('123456');
    await pressTwice(codes.submitButton);
  },
  expectError: async (fixtures, words, fault) => {
    await closeDialog(fixtures, 'Incorrect Security or Verification Code', words, fault);
    await fixtures.page.clock.fastForward(1500);
    // A code that could not be checked stays.
    await expect(fixtures.codes.code).toHaveValue(isTrouble(fault) ? '123456' : '');
    expect(await fixtures.cookies.names()).toEqual([]);
  },
  expectNextScreen: atSettings,
};

const resend: Scenario = {
  name: 'auth/v1/token (resend)',
  call: calls.token,
  outcome: serverOr(noMatch),
  open: openChallenge,
  press: async ({ codes }) => {
    await pressTwice(codes.resendButton);
  },
  expectError: async (fixtures, words, fault) => {
    await closeDialog(fixtures, 'Login Error', words, fault);
    await expect(fixtures.codes.sentLine).toBeHidden();
  },
  // A token that was not requested does not sign in.
  expectNextScreen: async ({ codes, cookies }) => {
    await expect(codes.sentLine).toBeVisible();
    expect(await cookies.names()).toEqual([]);
  },
};

/** The calls of the sign-in; the token call in each form that a user can cause. */
export const signInScenarios: readonly Scenario[] = [methods, token, byProvider, secondStep, resend];
