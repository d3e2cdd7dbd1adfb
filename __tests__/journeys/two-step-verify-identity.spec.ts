import { sessionBearer } from './support/bearers';
import { failedRequest } from './support/pageFaults';
import { password, people } from './support/people';
import { providers } from './support/providerPeople';
import { sentCalls } from './support/sentCalls';
import { expect, test } from './support/test';

const validateCall = '/auth/v1/validate-password';

test.describe('Verify identity', () => {
  test(
    'takes the password, shown or hidden, and nothing else',
    { tag: '@long' },
    async ({ page, world, cookies, settings, twoStep, signedInAs, pageFaults }) => {
      pageFaults.allow(failedRequest(401), failedRequest(503));
      await signedInAs(people.sam);
      await settings.open();
      await twoStep.getStarted.click();
      await expect(page.getByRole('heading', { name: 'Enable 2-Step Verification' })).toBeVisible();
      await expect(twoStep.authenticatorApp).toContainText('recommended');
      await twoStep.textMessage.click();

      await expect(page).toHaveURL(/\/ask-password\/enable$/);
      await expect(page.getByRole('heading', { name: 'Hi Sam', exact: true })).toBeVisible();
      await expect(page.getByText("To continue, first verify it's you", { exact: true })).toBeVisible();
      await expect(twoStep.email).toHaveValue(people.sam);
      await expect(twoStep.email).toHaveJSProperty('readOnly', true);
      await expect(twoStep.password).toBeFocused();
      await expect(twoStep.nextButton).toBeDisabled();
      await page.keyboard.type('Wrong-door7');
      await page.getByRole('button', { name: 'Show Password', exact: true }).click();
      await expect(twoStep.password).toHaveAttribute('type', 'text');
      await page.getByRole('button', { name: 'Hide Password', exact: true }).click();
      await expect(twoStep.password).toHaveAttribute('type', 'password');
      await twoStep.nextButton.click();
      await twoStep.closeRefusal('We were unable to verify your identity. Please try again.');
      await expect(twoStep.password).toHaveValue('');
      await expect(twoStep.password).toBeFocused();

      // The server's own words, and the default where it has none.
      for (const [status, body, words] of [
        [401, { error: { message: 'Not <b>today</b>.' } }, 'Not <b>today</b>.'],
        [503, {}, 'We were unable to verify your identity. Please try again.'],
      ] as const) {
        await world.fail({ path: validateCall, times: 1, fault: { kind: 'answer', status, body } });
        await twoStep.verify();
        await twoStep.closeRefusal(words);
      }

      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await settings.expectOpen();
      const { token } = await sessionBearer(cookies);
      expect(await sentCalls(world, validateCall)).toEqual(
        ['Wrong-door7', password, password].map((entered) => ({
          call: `POST ${validateCall}`,
          bearer: token,
          body: { password: entered },
        })),
      );
    },
  );

  for (const { provider, brand, only } of providers) {
    test(
      `through ${brand} has the provider ask anew, and takes no sign-in of an hour ago`,
      { tag: provider === 'google' ? [] : '@long' },
      async ({
        page,
        world,
        cookies,
        login,
        settings,
        twoStep,
        openProvider,
        providerTraffic,
        pageFaults,
      }) => {
        pageFaults.allow(failedRequest(401));
        await world.provider({ provider, trouble: 'stale' });
        await login.open('?url=%2Faccount-settings');
        const signIn = await openProvider(() => login.enterUsername(only));
        await signIn.finish();
        await settings.expectOpen();
        await signIn.expectClosed();

        await twoStep.getStarted.click();
        await twoStep.authenticatorApp.click();
        await expect(
          page.getByText(`You are authenticated via ${brand}. Click Next to reauthenticate and continue.`, {
            exact: true,
          }),
        ).toBeVisible();
        await expect(twoStep.email).toHaveValue(only);
        await expect(twoStep.password).toBeHidden();

        // Somebody signed in there an hour ago: the provider knows who it is, and is to ask all the same.
        const stale = await openProvider(() => twoStep.nextButton.click());
        await stale.signIn();
        await twoStep.closeRefusal('We were unable to verify your identity. Please try again.');
        await expect(page).toHaveURL(/\/ask-password\/enable$/);

        await world.provider({ provider, trouble: 'none' });
        const fresh = await openProvider(() => twoStep.nextButton.click());
        await fresh.signIn();
        await expect(page).toHaveURL(/\/qrcode-start\/[^/]+$/);
        await twoStep.shownKey();

        const prompts = providerTraffic
          .authorizations(provider)
          .map(({ searchParams }) => searchParams.get('prompt'));
        expect(prompts).toEqual([provider === 'google' ? 'consent' : null, 'login', 'login']);
        const { token } = await sessionBearer(cookies);
        const codeVerifier = expect.stringMatching(/^[\w-]{43}$/) as unknown;
        expect(await sentCalls(world, validateCall)).toEqual(
          providerTraffic
            .returns()
            .slice(1)
            .map(({ searchParams }) => ({
              call: `POST ${validateCall}`,
              bearer: token,
              body: {
                code: searchParams.get('code'),
                ...(provider === 'microsoft' ? { codeVerifier } : {}),
              },
            })),
        );
      },
    );
  }
});
