import { failedRequest } from './support/pageFaults';
import { people, tokenCall } from './support/people';
import { providers } from './support/providerPeople';
import { expect, test } from './support/test';

for (const { provider, brand, only } of providers) {
  test(
    `When ${brand} knows another user than the one who was named, the dialog says so and no session begins`,
    {
      tag: provider === 'google' ? [] : '@long',
    },
    async ({ world, cookies, login, openProvider, pageFaults }) => {
      pageFaults.allow(failedRequest(401));
      await login.open();
      const window = await openProvider(() => login.enterUsername(only));
      await window.finish(people.ada);

      await login.expectLoginError('Your account has no access');
      await window.expectClosed();
      expect(await world.calls(tokenCall)).toHaveLength(1);
      expect(await cookies.names()).toEqual([]);
      await login.closeLoginError();
      await expect(login[provider]).toBeEnabled();
    },
  );
}
