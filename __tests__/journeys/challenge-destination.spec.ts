import { readyAuthenticatorKey } from '@vestibule/local';
import { appCode } from './support/codes';
import { users } from './support/users';
import { expect, test } from './support/test';

test.describe('The destination after the second step', () => {
  test(
    'is the url that the login was given',
    { tag: ['@long', '@engines'] },
    async ({ page, environment, codes, hub, atChallenge }) => {
      const query = `?url=${encodeURIComponent(`${environment.origin('hub')}/?from=a%20b#here`)}`;
      await atChallenge(users.authenticator, query);
      await expect(page).toHaveURL(`${environment.origin('app')}/two-auth${query}`);
      await codes.type(appCode(readyAuthenticatorKey));
      await codes.submitButton.click();
      await hub.expectSignedIn('Theo', '/?from=a%20b#here');
    },
  );
});
