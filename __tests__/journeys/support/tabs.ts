import type { BrowserContext, Page, Request } from '@playwright/test';
import { expect } from './expect';
import { refreshCall } from './users';
import type { LocalEnvironment } from './environment';

const refreshPath = '/auth/v1/refresh';

/** Opens the settings in more tabs of one browser, on the login host or on another one. */
export async function openTabs(
  context: BrowserContext,
  count: number,
  origin = '',
): Promise<readonly Page[]> {
  const tabs: Page[] = [];
  // One by one: Firefox cannot open a tab next to one that has no window yet.
  while (tabs.length < count) tabs.push(await context.newPage());
  return await Promise.all(
    tabs.map(async (tab) => {
      await tab.goto(`${origin}/account-settings`);
      await expectSignedIn(tab);
      return tab;
    }),
  );
}

export const logoutOf = (tab: Page) => tab.getByRole('button', { name: 'Logout', exact: true });

/** The tab shows the settings of a signed-in user. */
export async function expectSignedIn(tab: Page): Promise<void> {
  await expect(logoutOf(tab)).toBeVisible();
  await expect(tab).toHaveURL(/\/account-settings$/);
}

/** The tab that makes the next refresh, which is answered late. */
export async function nextRefresher(tabs: readonly Page[]): Promise<Page> {
  const asks = tabs.map(
    (tab) =>
      new Promise<Page>((resolve) => {
        const onRequest = (request: Request) => {
          if (request.url().endsWith(refreshPath) && request.method() === 'POST') resolve(tab);
        };
        tab.on('request', onRequest);
      }),
  );
  return await Promise.race(asks);
}

/** The refresh calls that reached the service. */
export const refreshes = async (environment: LocalEnvironment) => await environment.calls(refreshCall);

/** The calls of the stream of live events, by status. */
export const streams = async (environment: LocalEnvironment) =>
  (await environment.calls('GET /auth/v1/events')).map(({ status }) => status);

/** Another browser of the user ends all sessions but its own. */
export async function endOthers(environment: LocalEnvironment, token: string): Promise<void> {
  const { status } = await environment.request('api', {
    method: 'POST',
    path: '/auth/v1/sessions/end',
    headers: { authorization: `Bearer ${token}` },
    body: { others: true },
  });
  expect(status).toBe(200);
}

/** What the page says to a user with other sessions after a change of factors. */
export const signedInElsewhere = 'You are also signed in elsewhere.';

export const endOthersButton = (page: Page) =>
  page.getByRole('button', { name: 'Sign Out Everywhere Else', exact: true });
