import { familyDomain } from '../../local/hosts';
import { ApplicationPage } from './pages/ApplicationPage';
import { accountOf } from './support/accountOf';
import { password, people } from './support/people';
import { expect, test } from './support/test';

/** Addresses that no redirect may lead to; `evil.localhost` answers in this world, so it would show. */
const refused: readonly (readonly [what: string, url: (port: number) => string])[] = [
  ['another host', (port) => `http://evil.localhost:${String(port)}/`],
  ['another host over https', () => 'https://example.com/'],
  ['a host that begins like ours', (port) => `http://hub.${familyDomain}.evil.localhost:${String(port)}/`],
  ['a host that ends like ours', (port) => `http://evil${familyDomain}:${String(port)}/`],
  ['the parent domain itself', (port) => `http://${familyDomain}:${String(port)}/`],
  ['our host on another port', () => `http://hub.${familyDomain}:1/`],
  ['our host without its port', () => `http://hub.${familyDomain}/`],
  ['our host with a trailing dot', (port) => `http://hub.${familyDomain}.:${String(port)}/`],
  ['two slashes', (port) => `//evil.localhost:${String(port)}/`],
  ['three slashes', (port) => `///evil.localhost:${String(port)}/`],
  ['back-slashes', (port) => `\\\\evil.localhost:${String(port)}/`],
  ['a slash and a back-slash', (port) => `/\\evil.localhost:${String(port)}/`],
  ['a scheme without slashes', (port) => `http:evil.localhost:${String(port)}/`],
  ['a scheme with three slashes', (port) => `http:///evil.localhost:${String(port)}/`],
  [
    'our host as user information',
    (port) => `http://hub.${familyDomain}:${String(port)}@evil.localhost:${String(port)}/`,
  ],
  [
    'user information before our host',
    (port) => `http://somebody:secret@hub.${familyDomain}:${String(port)}/`,
  ],
  [
    'a back-slash before our host',
    (port) => `http://evil.localhost:${String(port)}\\@hub.${familyDomain}:${String(port)}/`,
  ],
  ['a tab between slashes', (port) => `/\t/evil.localhost:${String(port)}/`],
  ['a line break in the scheme', (port) => `ht\ntp://evil.localhost:${String(port)}/`],
  ['a blank in front', (port) => ` //evil.localhost:${String(port)}/`],
  ['a zero byte', (port) => `\u0000//evil.localhost:${String(port)}/`],
  ['an encoded host', (port) => `http://evil%2elocalhost:${String(port)}/`],
  ['full-width characters', (port) => `http://evil.localhost:${String(port)}／.${familyDomain}/`],
  ['script', () => 'javascript:document.title="taken"'],
  ['script with a line break', () => 'java\nscript:document.title="taken"'],
  ['data', () => 'data:text/html,<title>taken</title>'],
  ['a view of the source', (port) => `view-source:http://evil.localhost:${String(port)}/`],
  ['another protocol', () => `ftp://hub.${familyDomain}/`],
  ['a path without a slash', () => 'evil.localhost'],
  ['nothing', () => ''],
];

/** One of each kind. */
const representatives = new Set([
  'another host',
  'a host that ends like ours',
  'two slashes',
  'our host as user information',
  'script',
]);

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
    await login.signInAs(people.sam, password);

    await ledger.expectSignedIn('Sam');
  });

  test(
    'an application’s address that is not on the list leads to the account settings',
    { tag: '@long' },
    async ({ world, login, settings }) => {
      await world.account(
        accountOf('odd@payments.example', {
          personas: { elsewhere: [{ applicationUrl: `${world.origin('stranger')}/` }] },
        }),
      );
      await login.open();
      await login.signInAs('odd@payments.example', password);

      await settings.expectOpen();
    },
  );

  test.describe('with a session from before', () => {
    test('an address on an allowed host wins', async ({ world, login, hub, signedInAs }) => {
      await signedInAs(people.ada);
      await login.open(asQuery(`${world.origin('hub')}/?from=url`));

      await hub.expectSignedIn('Ada', '/?from=url');
    });

    for (const [what, addresses, details] of [
      ['a chosen few', refused.filter(([name]) => representatives.has(name)), {}],
      ['every one of them', refused, { tag: '@long' }],
    ] as const) {
      test(
        `a refused address is as if it had not been given (${what})`,
        details,
        async ({ context, world, signedInAs }) => {
          test.setTimeout(180_000);
          await signedInAs(people.ada);
          for (const [name, url] of addresses) {
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
        },
      );
    }
  });
});
