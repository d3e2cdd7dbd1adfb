import { sessionBearer } from './support/bearers';
import { failedRequest } from './support/pageFaults';
import { providers } from './support/providerUsers';
import { sentCalls } from './support/sentCalls';
import { expect, test } from './support/test';

const validateCall = '/auth/v1/validate-password';

test.describe('Verify identity', () => {
  for (const { provider, brand, only } of providers) {
    test(
      `with ${brand} requires a new authentication, and rejects one of an hour ago`,
      { tag: '@long' },
      async ({
        page,
        environment,
        cookies,
        login,
        settings,
        twoStep,
        openProvider,
        providerTraffic,
        pageFaults,
      }) => {
        pageFaults.allow(failedRequest(401));
        await environment.provider({ provider, trouble: 'stale' });
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

        // The user signed in there an hour ago: the provider has a session, and must ask anyway.
        const stale = await openProvider(() => twoStep.nextButton.click());
        await stale.signIn();
        await twoStep.closeRefusal('We were unable to verify your identity. Please try again.');
        await expect(page).toHaveURL(/\/ask-password\/enable$/);

        await environment.provider({ provider, trouble: 'none' });
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
        expect(await sentCalls(environment, validateCall)).toEqual(
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
