import { setupBearer } from './support/bearers';
import { textedCode } from './support/codes';
import { cookieName } from './support/familyCookies';
import { holdRequests } from './support/holdRequests';
import { password, users } from './support/users';
import { expect, test } from './support/test';

test.describe('Setup mode', () => {
  test(
    'by text message: from the password to a sign-in with the new factor, without another proof',
    { tag: '@engines' },
    async ({ page, environment, cookies, login, ledger, settings, twoStep, codes }) => {
      await login.open();
      await login.signInAs(users.mustSetUp, password);
      await settings.expectOpen();
      expect(await cookies.names()).toEqual([cookieName.setup]);
      const { token, uid } = await setupBearer(cookies);
      await expect(twoStep.turnOff).toBeHidden();
      await twoStep.getStarted.click();
      await twoStep.textMessage.click();
      await expect(page).toHaveURL(new RegExp(`/authy-collect-info/${uid}$`));
      await twoStep.sendPhone('+44 7700 900148');
      const mfaCode = await textedCode(environment, '+447700900148');
      await codes.type(mfaCode);
      await expect(page).toHaveURL(/\/mfa-activated\?method=sms$/);
      await expect(page.getByText('Your phone number ends in 0148.', { exact: true })).toBeVisible();
      const authorization = `Bearer ${token}`;
      const calls = (await environment.calls()).filter(({ path }) =>
        /^\/(?:mfa|user-management)\/|validate-password$/.test(path),
      );
      expect(
        calls.map(({ method, path, headers, body }) => ({
          call: `${method} ${path}`,
          authorization: headers['authorization'],
          body,
        })),
      ).toEqual([
        { call: `GET /user-management/v1/users/${uid}`, authorization, body: null },
        {
          call: 'POST /mfa/v1/sms-authy-add',
          authorization,
          body: { phone: '+447700900148', countryCode: 'GB', register: true },
        },
        { call: 'POST /mfa/v1/validate-setup', authorization, body: { mfaCode, mfaRegistering: 'authy' } },
        { call: 'GET /mfa/v1/authy-info', authorization, body: null },
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
    },
  );
});

test(
  'A press that has begun is not lost when the number of the phone arrives above the button',
  { tag: '@long' },
  async ({ page, environment, signedInAs, twoStep }) => {
    await signedInAs(users.textMessage);
    // In the settings, the buttons are below the number only where it is narrow.
    await page.setViewportSize({ width: 320, height: 800 });
    for (const [path, button, result] of [
      ['/account-settings', twoStep.turnOff, twoStep.turnOffDialog],
      ['/mfa-activated?method=sms', twoStep.done, twoStep.turnOff],
    ] as const) {
      const release = await holdRequests(page, '**/mfa/v1/authy-info');
      await page.goto(environment.origin('app') + path);
      await button.hover({ position: { x: 40, y: 4 } });
      await page.mouse.down();
      release();
      await expect(page.getByText(/phone number end(?:s|ing) in 0143/i)).toBeVisible();
      await page.mouse.up();
      await expect(result).toBeVisible();
    }
  },
);
