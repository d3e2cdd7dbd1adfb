import type { Page } from '@playwright/test';
import { readyAuthenticatorKey } from '@vestibule/local';
import { LoginPage } from '../pages/LoginPage';
import { appCode, textedCode, wrongCode } from '../support/codes';
import { failedRequest } from '../support/pageFaults';
import { offers } from '../support/runEnvironment';
import { expect, test } from '../support/test';
import { password, users } from '../support/users';

const title = (page: Page, name: string) =>
  page.getByRole('heading', { name: `Continue to ${name}`, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test.describe('The way to another application', () => {
  test.skip(!offers('openid'), 'It is an extension.');

  test('asks for both steps of a proof, the second one by text message', async ({
    page,
    environment,
    signedInAs,
    twoStep,
    codes,
    pageFaults,
  }) => {
    await signedInAs(users.textMessage);
    const reports = environment.origin('reports');
    await page.goto(`${reports}/sign-in?prompt=login&acr_values=urn:vestibule:2`);
    await button(page, 'Continue').click();
    await twoStep.verify();
    await expect(
      page.getByText(
        'We just sent a text message with your verification code to your phone number ending in 0143.',
        { exact: true },
      ),
    ).toBeVisible();
    await expect(codes.code).toBeFocused();
    const phone = '+12025550143';
    // The first one was that of the sign-in.
    const code = await textedCode(environment, phone, 2);
    pageFaults.allow(failedRequest(401));
    await codes.type(wrongCode(code));
    await button(page, 'Verify').click();
    await codes.expectWrongCode();
    await codes.closeWrongCode();
    await expect(codes.code).toHaveValue('');
    await codes.resendButton.click();
    await expect(codes.sentLine).toBeVisible();
    await codes.type(await textedCode(environment, phone, 3));
    await button(page, 'Verify').click();
    await expect(page).toHaveURL(`${reports}/`);
    await expect(page.getByText('Signed in as')).toBeVisible();
  });

  test('asks for both steps of a proof, the second one by an authenticator app', async ({
    page,
    environment,
    signedInAs,
    twoStep,
    codes,
  }) => {
    await signedInAs(users.authenticator);
    const reports = environment.origin('reports');
    await page.goto(`${reports}/sign-in?prompt=login&acr_values=urn:vestibule:2`);
    await button(page, 'Continue').click();
    await twoStep.verify();
    await expect(page.getByText('Enter the 6-digit code from your app', { exact: true })).toBeVisible();
    await expect(codes.resendButton).toBeHidden();
    // The sign-in has used the present one.
    await codes.type(appCode(readyAuthenticatorKey, 1));
    await button(page, 'Verify').click();
    await expect(page).toHaveURL(`${reports}/`);
    await expect(page.getByText('Signed in as')).toBeVisible();
  });

  test('asks which account is used, and goes on', async ({ page, environment, signedInAs }) => {
    await signedInAs(users.ada);
    const reports = environment.origin('reports');
    await page.goto(`${reports}/sign-in?prompt=select_account`);
    await expect(title(page, 'Reports')).toBeVisible();
    await expect(page.getByText(`Continue as ${users.ada}?`, { exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Use Another Account', exact: true })).toBeVisible();
    await button(page, 'Continue').click();
    await expect(page).toHaveURL(`${reports}/`);
    await expect(page.getByText('Signed in as Ada')).toBeVisible();
  });

  test('begins anew at the application after Cancel, and where another tab has answered', async ({
    context,
    page,
    environment,
    signedInAs,
    pageFaults,
  }) => {
    await signedInAs(users.ada);
    pageFaults.allow(failedRequest(404));
    const reports = environment.origin('reports');
    await page.goto(`${reports}/sign-in?prompt=login&acr_values=urn:vestibule:2`);
    await expect(title(page, 'Reports')).toBeVisible();
    const address = page.url();
    const other = await context.newPage();
    await other.goto(address);
    await expect(title(other, 'Reports')).toBeVisible();
    await button(page, 'Cancel').click();
    await expect(page).toHaveURL(new RegExp(`^${reports}/`));

    await page.goto(address);
    await expect(page.getByText('Sign in to Reports again.', { exact: true })).toBeVisible();
    await button(page, 'Reports').click();
    await expect(page).toHaveURL(`${reports}/`);

    await button(other, 'Cancel').click();
    await expect(other.getByText('Sign in to Reports again.', { exact: true })).toBeVisible();
    await button(other, 'Reports').click();
    await expect(other).toHaveURL(`${reports}/`);
  });

  test('leads back after the set-up of two-step verification', async ({
    page,
    environment,
    login,
    settings,
    twoStep,
    codes,
  }) => {
    const reports = environment.origin('reports');
    await page.goto(`${reports}/sign-in`);
    await login.signInAs(users.mustSetUp, password);
    await settings.expectOpen();
    await twoStep.getStarted.click();
    await twoStep.textMessage.click();
    await twoStep.sendPhone('+44 7700 900148');
    await codes.type(await textedCode(environment, '+447700900148'));
    await twoStep.signIn.click();
    await expect(page).toHaveURL(/\/login\?url=/);
    await login.signInAs(users.mustSetUp, password);
    await codes.expectAtSignIn();
    await codes.type(await textedCode(environment, '+447700900148', 2));
    await codes.submitButton.click();
    await expect(page).toHaveURL(`${reports}/`);
    await expect(page.getByText('Signed in as Suki')).toBeVisible();
  });

  test('leads back after a reset of the password by mail, in another tab', async ({
    context,
    page,
    environment,
    login,
    passwords,
  }) => {
    const reports = environment.origin('reports');
    await page.goto(`${reports}/sign-in`);
    await login.enterUsername(users.ada);
    await login.forgotPassword.click();
    await passwords.email.fill(users.ada);
    await passwords.sendLink.click();
    const link = await environment.mailedLink(users.ada);
    const tab = await context.newPage();
    await tab.goto(link);
    await tab.getByLabel('New password', { exact: true }).fill('Harbour-gate8');
    await tab.getByLabel('Confirm password', { exact: true }).fill('Harbour-gate8');
    await button(tab, 'Set New Password').click();
    await expect(tab).toHaveURL(/\/login\?url=/);
    const again = new LoginPage(tab);
    await again.signInAs(users.ada, 'Harbour-gate8');
    await expect(tab).toHaveURL(`${reports}/`);
    await expect(tab.getByText('Signed in as Ada')).toBeVisible();
  });
});
