import decodeQr from 'qr/decode.js';
import { PNG } from 'pngjs';
import { appCode } from './support/codes';
import { password, users, tokenCall } from './support/users';
import { expect, test } from './support/test';

/** `body {}` */
const emptyStyle = /'sha256-YjaKGiklmzC6wjXA513HAMmzus8VE61XCOT\+SmwNZWA='/;

test.describe('Two-step verification', () => {
  test('by authenticator app: set up from the QR code, required, trusted, turned off', async ({
    page,
    environment,
    login,
    settings,
    twoStep,
    codes,
    signedInAs,
    pageFaults,
  }) => {
    await signedInAs(users.several);
    await settings.open();
    await twoStep.begin();

    // 1. The QR code contains the same key, according to another decoder than the application's.
    const picture = page.getByRole('img', { name: /QR code/ });
    await expect(picture).toBeVisible();
    const key = await twoStep.shownKey();
    // Before a picture, Playwright adds an empty style in Firefox, which the policy refuses: the browser's line names its hash.
    pageFaults.allow(emptyStyle, /^content-security-policy: style-src-elem blocked inline/);
    const { data, width, height } = PNG.sync.read(
      await picture.screenshot({ scale: 'device', caret: 'initial' }),
    );
    const address = new URL(decodeQr({ data: new Uint8Array(data), width, height }));
    expect(address.protocol).toBe('otpauth:');
    expect(address.searchParams.get('secret')).toBe(key);

    // 2. Its code turns the second step on.
    await twoStep.continueButton.click();
    await codes.type(appCode(key));
    await expect(page).toHaveURL(/\/mfa-activated\?method=qrcode$/);
    await twoStep.done.click();
    await settings.expectOpen();
    await expect(twoStep.section.getByText('active', { exact: true })).toBeVisible();
    await expect(twoStep.addNewApp).toBeVisible();

    // 3. The next sign-in requires it; this device is trusted from then on.
    await settings.logoutButton.click();
    await login.signInAs(users.several, password);
    await codes.expectAtSignIn();
    await codes.trustDevice.check();
    await codes.type(appCode(key, 1));
    await codes.submitButton.click();
    await settings.expectOpen();
    await settings.logoutButton.click();
    await login.signInAs(users.several, password);
    await settings.expectOpen();

    // 4. Turned off, no code is required.
    await twoStep.turnOff.click();
    await twoStep.turnOffDialog.getByRole('button', { name: 'Turn Off 2-Step', exact: true }).click();
    await twoStep.verify();
    await settings.expectOpen();
    await expect(twoStep.getStarted).toBeVisible();
    await settings.logoutButton.click();
    await login.signInAs(users.several, password);
    await settings.expectOpen();
    expect((await environment.bodies(tokenCall)).at(-1)).toEqual({
      username: users.several,
      method: 'basic',
      password,
    });
  });
});
