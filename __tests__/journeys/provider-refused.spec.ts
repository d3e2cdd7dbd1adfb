import { failedRequest } from './support/pageFaults';
import { users, tokenCall } from './support/users';
import { expect, test } from './support/test';

test.describe('When a provider returns an error', () => {
  test(
    'because the user refuses, or another one signs in there, the dialog opens and no session starts',
    { tag: '@long' },
    async ({ environment, cookies, login, openProvider, pageFaults }) => {
      pageFaults.allow(failedRequest(401));
      await login.open();
      const refused = await openProvider(() => login.enterUsername(users.googleOnly));
      await refused.cancelButton.click();
      await login.expectLoginError('Unable to log in with Google');
      await refused.expectClosed();
      await login.closeLoginError();
      await expect(login.providerLine).toBeHidden();
      expect(await environment.calls(tokenCall)).toEqual([]);
      expect(await cookies.names()).toEqual([]);

      const window = await openProvider(() => login.google.click());
      await window.finish(users.ada);
      await login.expectLoginError('Your account has no access');
      await window.expectClosed();
      expect(await environment.calls(tokenCall)).toHaveLength(1);
      expect(await cookies.names()).toEqual([]);
      await login.closeLoginError();
      await expect(login.google).toBeEnabled();
    },
  );
});
