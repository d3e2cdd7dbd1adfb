import { framedLogin, frameOf } from './support/framed';
import { people, tokenCall } from './support/people';
import { expect, test } from './support/test';

test.describe('In the frame of a parent of the same site', () => {
  for (const openerPolicy of ['unsafe-none', 'same-origin'] as const) {
    for (const provider of ['google', 'microsoft'] as const) {
      const details = provider === 'google' && openerPolicy === 'same-origin' ? {} : { tag: '@long' };
      test(
        `${provider} with opener policy ${openerPolicy} signs in, and the frame says so`,
        details,
        async ({ page, world, hub, openProvider, providerTraffic }) => {
          await world.provider({ provider, openerPolicy });
          await hub.open();
          const login = framedLogin(page);
          await login.enterUsername(people.alma);
          const window = await openProvider(() => login[provider].click());
          await window.finish();

          await expect(frameOf(page).getByText('You are signed in', { exact: true })).toBeVisible();
          await window.expectClosed();
          await hub.expectSignedIn('Alma');
          expect(await world.bodies(tokenCall)).toEqual([
            expect.objectContaining({
              username: people.alma,
              method: provider,
              code: providerTraffic.code(),
            }),
          ]);
        },
      );
    }
  }
});
