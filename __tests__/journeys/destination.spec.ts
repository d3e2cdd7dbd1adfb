import { familyDomain } from '@vestibule/local';
import { ApplicationPage } from './pages/ApplicationPage';
import { password, users } from './support/users';
import { expect, test } from './support/test';

/** One of each kind; `evil.localhost` answers in this environment, so a redirect to it would be noticed. All kinds: redirectAllowlist.test.ts. */
const refused: readonly (readonly [what: string, url: (port: number) => string])[] = [
  ['another host', (port) => `http://evil.localhost:${String(port)}/`],
  ['a host with the same ending as ours', (port) => `http://evil${familyDomain}:${String(port)}/`],
  ['two slashes', (port) => `//evil.localhost:${String(port)}/`],
  [
    'our host as user information',
    (port) => `http://hub.${familyDomain}:${String(port)}@evil.localhost:${String(port)}/`,
  ],
  ['a tab between slashes', (port) => `/\t/evil.localhost:${String(port)}/`],
  ['script with a line break', () => 'java\nscript:document.title="taken"'],
];

const asQuery = (url: string): string => `?url=${encodeURIComponent(url)}`;

test.describe('The destination of a sign-in', () => {
  test('is an address on an allowed host, with its query and fragment', async ({
    environment,
    login,
    hub,
  }) => {
    await login.open(asQuery(`${environment.origin('hub')}/?from=a%20b&c=d#here`));
    await login.signInAs(users.ada, password);

    await hub.expectSignedIn('Ada', '/?from=a%20b&c=d#here');
  });

  test(
    'with an existing session ignores an address that is not allowed',
    { tag: '@long' },
    async ({ context, environment, signedInAs }) => {
      await signedInAs(users.ada);
      for (const [name, url] of refused) {
        await test.step(name, async () => {
          // A separate tab: redirects are counted per tab.
          const tab = await context.newPage();
          const visited: string[] = [];
          tab.on('request', (request) => {
            if (request.isNavigationRequest()) visited.push(new URL(request.url()).origin);
          });
          await tab.goto(`/login${asQuery(url(environment.port))}`);
          await new ApplicationPage(tab, environment.origin('ledger')).expectSignedIn('Ada');
          await expect(tab).toHaveTitle('Ledger');
          expect(visited).toEqual([environment.origin('app'), environment.origin('ledger')]);
          await tab.close();
        });
      }
    },
  );
});
