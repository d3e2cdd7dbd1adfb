import { accountOf } from './support/accountOf';
import { failedRequest } from './support/pageFaults';
import { people, tokenCall } from './support/people';
import { offered, providers } from './support/providerPeople';
import { expect, test } from './support/test';

for (const { provider, brand, only } of providers) {
  test.describe(`When ${brand} knows who is there, and we do not let them in:`, () => {
    for (const { who, person } of [
      { who: 'somebody without an account', person: people.otto },
      { who: 'somebody else', person: people.ada },
    ]) {
      test(`signing in as ${who} ends in the dialog and leaves nobody signed in`, async ({
        world,
        cookies,
        login,
        openProvider,
        pageFaults,
      }) => {
        pageFaults.allow(failedRequest(401));
        await login.open();
        const window = await openProvider(() => login.enterUsername(only));
        await window.finish(person);

        await login.expectLoginError('Your account has no access');
        await window.expectClosed();
        expect(await world.calls(tokenCall)).toHaveLength(1);
        expect(await cookies.names()).toEqual([]);
      });
    }

    for (const { answer, body, words } of [
      { answer: 'without words', body: {}, words: 'Your account has no access' },
      {
        answer: 'with words of its own',
        body: { error: { message: '<b>Closed</b> on Sundays', code: 'closed' } },
        words: '<b>Closed</b> on Sundays',
      },
    ]) {
      test(`a refusal of the service ${answer} is told as text, and can be tried again`, async ({
        world,
        login,
        openProvider,
        pageFaults,
      }) => {
        pageFaults.allow(failedRequest(403));
        await world.fail({ path: '/auth/v1/token', fault: { kind: 'answer', status: 403, body } });
        await login.open();
        const window = await openProvider(() => login.enterUsername(only));
        await window.finish();

        await login.expectLoginError(words);
        await login.closeLoginError();
        await expect(login[provider]).toBeEnabled();
        expect(await world.calls(tokenCall)).toHaveLength(1);
      });
    }

    test('an address that the provider does not vouch for opens no account', async ({
      world,
      login,
      openProvider,
      pageFaults,
    }) => {
      pageFaults.allow(failedRequest(401));
      await login.open();
      await login.enterUsername(people.una);
      const window = await openProvider(() => login[provider].click());
      await window.finish();

      await login.expectLoginError('Your account has no access');
      expect(await world.calls(tokenCall)).toHaveLength(1);
    });

    test('an account without applications cannot sign in', async ({
      world,
      cookies,
      login,
      openProvider,
      pageFaults,
    }) => {
      pageFaults.allow(/^vestibule: sign-in refused Error: create relation in db/);
      await world.account(accountOf(people.nora, { methods: [offered[provider]], personas: {} }));
      await login.open();
      const window = await openProvider(() => login.enterUsername(people.nora));
      await window.finish();

      await login.expectLoginError('create relation in db');
      expect(await cookies.names()).toEqual([]);
    });
  });
}
