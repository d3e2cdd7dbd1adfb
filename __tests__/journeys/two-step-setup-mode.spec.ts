import { setupBearer } from './support/bearers';
import { textedCode } from './support/codes';
import { cookieName } from './support/familyCookies';
import { password, users } from './support/users';
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
});
