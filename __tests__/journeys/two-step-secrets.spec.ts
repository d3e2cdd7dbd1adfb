import * as v from 'valibot';
import { appCode } from './support/codes';
import { password, users, tokenCall } from './support/users';
import { carriersOf, hearConsoles, holding, tracesOf, tracesOfCookies } from './support/secretTraces';
import { expect, test } from './support/test';

const identityCall = 'POST /auth/v1/validate-password';
const setupCall = 'POST /mfa/v1/validate-setup';

const proofSchema = v.object({ authVerificationToken: v.string() });

test.describe('Password, codes, tokens and key', () => {
  test(
    'leave no trace after a set-up by app and a sign-in with it',
    { tag: '@long' },
    async ({ context, page, environment, login, settings, twoStep, codes, signedInAs, providerTraffic }) => {
      const consoles = hearConsoles(context);
      const traces = async () => ({
        ...(await tracesOf(page)),
        ...(await tracesOfCookies(context)),
        console: consoles(),
      });

      // 1. The user sets up an app; its key is drawn, and exists nowhere but in the page.
      await signedInAs(users.several);
      await settings.open();
      await twoStep.begin();
      const key = await twoStep.shownKey();
      const atKey = await traces();
      expect(holding(atKey, key.slice(0, 4))).toEqual(['markup']);
      await twoStep.continueButton.click();
      const enrolmentCode = appCode(key);
      await codes.type(enrolmentCode);
      await expect(page).toHaveURL(/\/mfa-activated\?method=qrcode$/);
      // Until the next screen is rendered, the boxes of the last one are there.
      await expect(twoStep.done).toBeVisible();
      const afterSetup = await traces();

      // 2. The next sign-in requires a code; this device is trusted from then on.
      await twoStep.done.click();
      await settings.expectOpen();
      await settings.logoutButton.click();
      await login.signInAs(users.several, password);
      await codes.expectAtSignIn();
      const atChallenge = await traces();
      await codes.trustDevice.check();
      const signInCode = appCode(key, 1);
      await codes.type(signInCode);
      await codes.submitButton.click();
      await settings.expectOpen();
      const afterSignIn = await traces();

      // 3. The tokens are those of the calls that carried them.
      const [setup] = await environment.bodies(setupCall);
      const [, challenge] = await environment.bodies(tokenCall);
      const verificationToken = v.parse(proofSchema, setup).authVerificationToken;
      const challengeToken = v.parse(proofSchema, challenge).authVerificationToken;
      const secrets = { password, key, enrolmentCode, signInCode, verificationToken, challengeToken };
      for (const [name, secret] of Object.entries(secrets)) {
        for (const [moment, seen] of Object.entries({ afterSetup, atChallenge, afterSignIn }))
          expect(holding(seen, secret), `${name}, ${moment}`).toEqual([]);
        const carriers = carriersOf(providerTraffic, secret).filter(
          (carrier) => !carrier.endsWith('in the body'),
        );
        expect(carriers, name).toEqual([]);
      }
      expect(await environment.calls(identityCall)).toHaveLength(1);
      expect(carriersOf(providerTraffic, enrolmentCode)).toEqual([
        `POST ${environment.origin('api')}/mfa/v1/validate-setup in the body`,
      ]);
    },
  );
});
