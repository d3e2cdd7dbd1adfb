import { expect } from '@playwright/test';
import { pressMouse } from '../pressMouse';
import { calls } from './calls';
import type { Fault } from './faults';
import {
  closeDialog,
  openProof,
  pressTwice,
  serverOr,
  openAnswer,
  type Outcome,
  type Scenario,
} from './scenario';

const fallback = 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';
const wrongCode = 'Incorrect code. Please enter verification code again.';

const expectSetupError: Scenario['expectError'] = async (fixtures, words, fault) => {
  await closeDialog(fixtures, 'Setup Error', words, fault);
};

const phone: Scenario = {
  name: 'sms-authy-add',
  call: calls.addPhone,
  outcome: serverOr(fallback),
  open: async (fixtures) => {
    fixtures.service.prepare(calls.validatePassword);
    await openProof(fixtures, 'sms');
    await fixtures.twoStep.verify();
  },
  press: async ({ twoStep }) => {
    await twoStep.phone.fill('(202) 555-0147');
    await pressTwice(twoStep.continueButton);
  },
  expectError: expectSetupError,
  expectNextScreen: async ({ codes }) => {
    await expect(codes.code).toBeVisible();
  },
};

/** A rejected request is a wrong code; too many attempts and failures of the service are not. */
function codeOutcome({ status, message = fallback }: Fault): Outcome {
  const isRefused = status !== null && status >= 400 && status < 500 && status !== 408 && status !== 429;
  return { says: isRefused ? wrongCode : message };
}

const enrolmentCode: Scenario = {
  name: 'validate-setup',
  call: calls.validateSetup,
  outcome: openAnswer(codeOutcome),
  open: async (fixtures) => {
    const { service, twoStep, codes } = fixtures;
    service.prepare(calls.validatePassword);
    service.prepare(calls.addPhone);
    service.prepare(calls.authyInfo);
    await openProof(fixtures, 'sms');
    await twoStep.verify();
    await twoStep.sendPhone('(202) 555-0147');
    await expect(codes.code).toBeVisible();
  },
  press: async ({ codes }) => {
    // The sixth digit submits the code; a code that could not be checked stays, and is submitted by the button.
    if ((await codes.code.inputValue()) === '') await codes.type('123456');
    else await expect(codes.verifyButton).toBeEnabled();
    await pressMouse(codes.verifyButton, 2);
  },
  expectError: async (fixtures, words, fault) => {
    if (words !== wrongCode) {
      await expectSetupError(fixtures, words, fault);
      return;
    }
    await closeDialog(fixtures, 'Incorrect Security or Verification Code', words, fault);
    await fixtures.page.clock.fastForward(1500);
    await expect(fixtures.codes.code).toHaveValue('');
  },
  expectNextScreen: async ({ page }) => {
    await expect(page).toHaveURL(/\/mfa-activated\?method=sms$/);
  },
};

const enrolment: Scenario = {
  name: 'twofactor-add',
  call: calls.addAuthenticator,
  outcome: serverOr(fallback),
  open: async (fixtures) => {
    const { service, twoStep } = fixtures;
    service.prepare(calls.validatePassword);
    // So that there is a button to press: the first call is made on arrival.
    service.prepare(calls.addAuthenticator, {});
    await openProof(fixtures, 'app');
    await twoStep.verify();
    await closeDialog(fixtures, 'Setup Error', fallback);
  },
  press: async ({ page }) => {
    await pressTwice(page.getByRole('button', { name: 'Try Again', exact: true }));
  },
  expectError: async (fixtures, words, fault) => {
    await expectSetupError(fixtures, words, fault);
    await expect(fixtures.page.getByText('The QR code could not be loaded.', { exact: true })).toBeVisible();
  },
  expectNextScreen: async ({ twoStep }) => {
    await twoStep.shownKey();
  },
};

/** The calls that set up a second step. */
export const setupScenarios: readonly Scenario[] = [phone, enrolmentCode, enrolment];
