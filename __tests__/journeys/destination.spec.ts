import { familyDomain } from '../../local/hosts';
import { ApplicationPage } from './pages/ApplicationPage';
import { password, people } from './support/people';
import { expect, test } from './support/test';

/** One of each kind; `evil.localhost` answers in this world, so it would show. All kinds: redirectDoor.test.ts. */
const refused: readonly (readonly [what: string, url: (port: number) => string])[] = [
  ['another host', (port) => `http://evil.localhost:${String(port)}/`],
  ['a host that ends like ours', (port) => `http://evil${familyDomain}:${String(port)}/`],
  ['two slashes', (port) => `//evil.localhost:${String(port)}/`],
  [
    'our host as user information',
    (port) => `http://hub.${familyDomain}:${String(port)}@evil.localhost:${String(port)}/`,
  ],
  ['a tab between slashes', (port) => `/\t/evil.localhost:${String(port)}/`],
  ['script with a line break', () => 'java\nscript:document.title="taken"'],
];

const asQuery = (url: string): string => `?url=${encodeURIComponent(url)}`;

test.describe('Where a sign-in leads', () => {
  test('an address on an allowed host wins, with its query and fragment', async ({ world, login, hub }) => {
    await login.open(asQuery(`${world.origin('hub')}/?from=a%20b&c=d#here`));
    await login.signInAs(people.ada, password);

    await hub.expectSignedIn('Ada', '/?from=a%20b&c=d#here');
  });

  test('a path on the login host wins too', async ({ login, settings }) => {
    await login.open(asQuery('/account-settings'));
    await login.signInAs(people.ada, password);

    await settings.expectOpen();
    await settings.expectLastChange('You have never changed your password');
  });

  test('an application’s own Sign in link leads back into it', async ({ page, login, ledger }) => {
    await ledger.open();
    await ledger.expectNobodySignedIn();
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await login.signInAs(people.several, password);

    await ledger.expectSignedIn('Sam');
  });

  test.describe('with a session from before', () => {
    test('an address on an allowed host wins', async ({ world, login, hub, signedInAs }) => {
      await signedInAs(people.ada);
      await login.open(asQuery(`${world.origin('hub')}/?from=url`));

      await hub.expectSignedIn('Ada', '/?from=url');
    });

    test('a refused address is as if it had not been given', async ({ context, world, signedInAs }) => {
      await signedInAs(people.ada);
      for (const [name, url] of refused) {
        await test.step(name, async () => {
          // A tab of its own: one that is sent to the application again and again is stopped.
          const tab = await context.newPage();
          const visited: string[] = [];
          tab.on('request', (request) => {
            if (request.isNavigationRequest()) visited.push(new URL(request.url()).origin);
          });
          await tab.goto(`/login${asQuery(url(world.port))}`);
          await new ApplicationPage(tab, world.origin('ledger')).expectSignedIn('Ada');
          await expect(tab).toHaveTitle('Ledger');
          expect(visited).toEqual([world.origin('app'), world.origin('ledger')]);
          await tab.close();
        });
      }
    });
  });
});
