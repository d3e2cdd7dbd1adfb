import * as v from 'valibot';
import { accountOf } from './support/accountOf';
import { sessionBearer } from './support/bearers';
import { textedCode } from './support/codes';
import { password } from './support/users';
import { sentCalls, twoStepPaths } from './support/sentCalls';
import { expect, test } from './support/test';

const byText = { type: 'authy', phone: '+12025550143', countryCode: 'US', authyId: '70143' } as const;
const eve = 'eve@payments.example';

/**
 * The token that a call carried. The service accepted it, so it is the one that it issued: the answer itself
 * cannot be read here, because Chromium discards bodies that the page has read.
 */
const tokenIn = ({ body }: { readonly body: unknown }): string =>
  v.parse(v.looseObject({ authVerificationToken: v.pipe(v.string(), v.nonEmpty()) }), body)
    .authVerificationToken;

test.describe('Setting up from the account settings', () => {
  test(
    'with Change Number sends the calls of the contract, key by key',
    { tag: '@engines' },
    async ({ page, environment, cookies, settings, twoStep, codes, signedInAs }) => {
      await environment.account(accountOf(eve, {}));
      await signedInAs(eve);
      await environment.account(accountOf(eve, { mfa: byText }));
      await settings.open();
      await expect(twoStep.section).toContainText('SMS Text Message');
      await expect(twoStep.section.getByText('Phone number ending in 0143', { exact: true })).toBeVisible();
      await twoStep.changeNumber.click();
      await twoStep.verify();

      await expect(page).toHaveURL(/\/authy-collect-info\/[^/]+$/);
      await expect(page.getByRole('heading', { name: "Let's set up your phone", exact: true })).toBeVisible();
      await expect(page.getByText('Standard text message rates may apply.', { exact: true })).toBeVisible();
      await expect(twoStep.country).toHaveValue('US');
      await twoStep.phone.fill('12345');
      await twoStep.continueButton.click();
      await expect(twoStep.phone).toHaveAttribute('aria-invalid', 'true');
      await twoStep.sendPhone('07700 900148');
      await expect(twoStep.phone).toHaveAttribute('aria-invalid', 'true');
      await twoStep.country.selectOption('GB');
      await twoStep.continueButton.click();
      await expect(
        page.getByText(
          'We just sent a text message with your verification code to your phone number ending in 0148',
          { exact: true },
        ),
      ).toBeVisible();
      const mfaCode = await textedCode(environment, '+447700900148');
      await codes.type(mfaCode);
      await expect(page).toHaveURL(/\/mfa-activated\?method=sms$/);
      await expect(page.getByText('Your phone number ends in 0148.', { exact: true })).toBeVisible();

      const { token: bearer } = await sessionBearer(cookies);
      const phone = { phone: '+447700900148', countryCode: 'GB', register: true };
      const calls = await sentCalls(environment, ...twoStepPaths);
      const authVerificationToken = tokenIn(calls[2] ?? { body: null });
      expect(calls).toEqual([
        { call: 'GET /mfa/v1/authy-info', bearer, body: null },
        { call: 'POST /auth/v1/validate-password', bearer, body: { password } },
        { call: 'POST /mfa/v1/sms-authy-add', bearer, body: { ...phone, authVerificationToken } },
        {
          call: 'POST /mfa/v1/validate-setup',
          bearer,
          body: { mfaCode, mfaRegistering: 'authy', authVerificationToken },
        },
        { call: 'GET /mfa/v1/authy-info', bearer, body: null },
      ]);
    },
  );
});
