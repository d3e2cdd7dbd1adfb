import { expect } from '@playwright/test';
import { textedCode, wrongCode } from './codes';
import { pauseClock } from './pauseClock';
import { password, people } from './people';
import type { Tour } from './tour';

/** `/two-auth`: empty, after a new message, and red under its dialog and without it. */
const challenge: Tour = async ({ page, world, login, codes }, query, look) => {
  const phone = '+12025550143';
  await page.clock.install();
  await login.open(query);
  await login.signInAs(people.textMessage, password);
  await codes.expectAtSignIn();
  await look('two-auth');
  // The new message is confirmed for 5 s, the boxes are red for 1.5 s.
  await pauseClock(page);
  await codes.resendButton.click();
  await expect(codes.sentLine).toBeVisible();
  await look('two-auth-sent', 'paused');
  await codes.type(wrongCode(await textedCode(world, phone, 2)));
  await codes.submitButton.click();
  await codes.expectWrongCode();
  await look('two-auth-dialog', 'paused');
  await codes.closeWrongCode();
  await expect(codes.boxes.first()).toHaveAttribute('aria-invalid', 'true');
  await look('two-auth-red', 'paused');
};

/** Settings without a second step, the choice, the proof by password, and both steps of the app. */
const setUpByApp: Tour = async ({ page, twoStep, codes, signedInAs }, query, look) => {
  await page.clock.install();
  await signedInAs(people.several);
  await page.goto(`/account-settings${query}`);
  await expect(twoStep.getStarted).toBeVisible();
  await look('settings-off');
  await twoStep.getStarted.click();
  await expect(twoStep.authenticatorApp).toBeVisible();
  await look('mfa-options');
  await twoStep.authenticatorApp.click();
  await expect(twoStep.password).toBeVisible();
  await look('verify-password');
  await twoStep.verify();
  await twoStep.shownKey();
  // The proof is valid for 180 s: checking a screen takes none of them.
  await pauseClock(page);
  await page.getByRole('button', { name: 'Copy Key', exact: true }).click();
  await expect(
    page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /Cop|copy/ }),
  ).toBeVisible();
  await look('qrcode', 'paused');
  await page.clock.resume();
  await twoStep.continueButton.click();
  await expect(codes.boxes).toHaveCount(6);
  await pauseClock(page);
  await look('code-app', 'paused');
  await page.clock.fastForward('02:11');
  await expect(twoStep.expiring).toBeVisible();
  await look('code-expiring', 'paused');
};

/** Both steps of text messages, and what follows: the end, the settings, and the confirmation of Turn Off. */
const setUpByText: Tour = async ({ page, world, twoStep, codes, signedInAs }, query, look) => {
  await signedInAs(people.several);
  await page.goto(`/account-settings${query}`);
  await twoStep.begin('sms');
  await expect(twoStep.phone).toBeVisible();
  await look('phone');
  await twoStep.sendPhone('(202) 555');
  await expect(twoStep.phone).toHaveAttribute('aria-invalid', 'true');
  await look('phone-refused');
  await twoStep.sendPhone('(202) 555-0147');
  await expect(codes.boxes).toHaveCount(6);
  await look('code-sms');
  await codes.type(await textedCode(world, '+12025550147'));
  await expect(page.getByText(/phone number ends in 0147/)).toBeVisible();
  await look('activated');
  await twoStep.done.click();
  await expect(twoStep.section.getByText(/0147/)).toBeVisible();
  await look('settings-on');
  await twoStep.turnOff.click();
  await expect(twoStep.turnOffDialog).toBeVisible();
  await look('turn-off');
};

/** Verify identity for a user without a password. */
const proofByProvider: Tour = async ({ page, login, twoStep, openProvider }, query, look) => {
  await login.open(query);
  const signIn = await openProvider(() => login.enterUsername(people.googleOnly));
  await signIn.finish();
  await signIn.expectClosed();
  await expect(page.getByText('Signed in as Gina.', { exact: true })).toBeVisible();
  await page.goto(`/account-settings${query}`);
  await twoStep.getStarted.click();
  await twoStep.authenticatorApp.click();
  await expect(page.getByText(/authenticated via Google/)).toBeVisible();
  await look('verify-provider');
  await openProvider(() => twoStep.nextButton.click());
  await expect(page.getByText('Continue in the Google window.', { exact: true })).toBeVisible();
  await look('verify-provider-waiting');
};

/** Every screen of two-step verification, in groups. */
export const twoStepTours: Readonly<Record<string, Tour>> = {
  'the second step of a sign-in': challenge,
  'setting up an authenticator app': setUpByApp,
  'setting up text messages': setUpByText,
  'verifying identity through a provider': proofByProvider,
};
