import { setupBearer } from './support/bearers';
import { textedCode } from './support/codes';
import { cookieName } from './support/familyCookies';
import { password, users, tokenCall } from './support/users';
import { sentCalls, twoStepPaths } from './support/sentCalls';
import { expect, test } from './support/test';

test.describe('Setup mode', () => {
  test('by text message: from the password to a sign-in with the new factor, without another proof', async ({
    page,
    environment,
    cookies,
    login,
    ledger,
    settings,
    twoStep,
    codes,
  }) => {
    await login.open();
    await login.signInAs(users.mustSetUp, password);
    await settings.expectOpen();
    expect(await cookies.names()).toEqual([cookieName.setup]);
    const { token: bearer, uid } = await setupBearer(cookies);
    await expect(twoStep.turnOff).toBeHidden();
    await twoStep.getStarted.click();
    await twoStep.textMessage.click();
    await expect(page).toHaveURL(new RegExp(`/authy-collect-info/${uid}$`));
    await twoStep.sendPhone('+44 7700 900148');
    const mfaCode = await textedCode(environment, '+447700900148');
    await codes.type(mfaCode);
    await expect(page).toHaveURL(/\/mfa-activated\?method=sms$/);
    await expect(page.getByText('Your phone number ends in 0148.', { exact: true })).toBeVisible();
    expect(await sentCalls(environment, ...twoStepPaths, '/user-management/')).toEqual([
      { call: `GET /user-management/v1/users/${uid}`, bearer, body: null },
      {
        call: 'POST /mfa/v1/sms-authy-add',
        bearer,
        body: { phone: '+447700900148', countryCode: 'GB', register: true },
      },
      { call: 'POST /mfa/v1/validate-setup', bearer, body: { mfaCode, mfaRegistering: 'authy' } },
      { call: 'GET /mfa/v1/authy-info', bearer, body: null },
    ]);

    await page.reload();
    await expect(twoStep.done).toBeHidden();
    await twoStep.signIn.click();
    await expect(page).toHaveURL(`${environment.origin('app')}/login`);
    expect(await cookies.names()).toEqual([]);
    await login.signInAs(users.mustSetUp, password);
    await codes.expectAtSignIn();
    await codes.type(await textedCode(environment, '+447700900148', 2));
    await codes.submitButton.click();
    await ledger.expectSignedIn('Suki');
  });

  test(
    'is limited to its screens, and ends with Back, Logout or its token',
    { tag: '@long' },
    async ({ page, environment, cookies, login, settings, twoStep }) => {
      const base = `${environment.origin('app')}/login`;
      await login.open();
      await login.signInAs(users.mustSetUp, password);
      await settings.expectOpen();
      const setup = (await cookies.read(cookieName.setup)) ?? '';
      for (const path of ['/ask-password/enable', '/ask-password/disable', '/somewhere']) {
        await page.goto(path);
        await settings.expectOpen();
      }
      await twoStep.getStarted.click();
      await twoStep.authenticatorApp.click();
      await twoStep.shownKey();
      await page.reload();
      await expect(page).toHaveURL(/\/mfa-options$/);
      await page.goBack();
      await settings.expectOpen();
      for (const leave of [settings.backButton, settings.logoutButton]) {
        await cookies.leave(cookieName.setup, setup);
        await page.goto('/mfa-options');
        await expect(twoStep.textMessage).toBeVisible();
        await leave.click();
        await expect(page).toHaveURL(base);
        expect(await cookies.names()).toEqual([]);
      }
      expect(await environment.calls(tokenCall)).toHaveLength(1);

      // After its expiry the leftover token opens nothing.
      await cookies.leave(cookieName.setup, setup);
      await page.clock.setSystemTime(Date.now() + 3_600_000);
      await page.goto('/mfa-options');
      await expect(page).toHaveURL(base);
      await expect(login.username).toBeVisible();
    },
  );
});
