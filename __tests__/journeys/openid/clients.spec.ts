import type { Page } from '@playwright/test';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { findApache, findAuthlib } from '../../../scripts/setup/programs.mjs';
import { Authenticator } from '../support/authenticator';
import { engine } from '../support/engine';
import { holdRequests } from '../support/holdRequests';
import { failedRequest } from '../support/pageFaults';
import { offers } from '../support/runEnvironment';
import { endOthers } from '../support/tabs';
import { expect, test as journey } from '../support/test';
import { password, users } from '../support/users';
import { TwoStepSetup } from '../pages/TwoStepSetup';
import {
  applicationNames,
  BrowserApplication,
  clientsAt,
  type Ports,
  ServerApplication,
  type ServerName,
  startApplication,
} from './realClients';

journey.skip(engine !== 'chromium', 'Only Chromium has virtual authenticators');
journey.skip(!offers('openid', 'passkeys', 'sessions', 'events'), 'They are extensions.');

interface Applications {
  /** Starts an application with a server of its own, which a tab opens. */
  readonly startServer: (page: Page, name: ServerName) => Promise<ServerApplication>;
  /** Starts the application that is nothing but a page. */
  readonly startPage: (page: Page, site?: 'sameSite' | 'otherSite') => Promise<BrowserApplication>;
  /** `users.several` is signed in with one factor, and has a passkey. */
  readonly withPasskey: () => Promise<Authenticator>;
}

const test = journey.extend<
  Applications & { readonly start: (name: keyof Ports) => Promise<void> },
  { readonly ports: Ports }
>({
  ports: [
    async ({}, use) => {
      const free = await freePorts(applicationNames.length);
      await use(Object.fromEntries(applicationNames.map((name, index) => [name, free[index]])) as Ports);
    },
    { scope: 'worker' },
  ],
  serviceSettings: [
    async ({ ports }, use) => {
      await use({ clients: clientsAt(ports) });
    },
    { scope: 'worker' },
  ],
  start: async ({ environment, ports }, use) => {
    const stops: (() => Promise<void>)[] = [];
    await use(async (name) => {
      stops.push(await startApplication(name, environment.origin('api'), ports[name]));
    });
    for (const stop of stops) await stop();
  },
  startServer: async ({ start, ports }, use) => {
    await use(async (page, name) => {
      await start(name);
      return new ServerApplication(page, name, ports[name]);
    });
  },
  startPage: async ({ start, ports }, use) => {
    await use(async (page, site = 'sameSite') => {
      await start('browser');
      return new BrowserApplication(page, site, ports.browser);
    });
  },
  withPasskey: async ({ page, atSettings }, use) => {
    await use(async () => {
      const authenticator = await Authenticator.of(page);
      await authenticator.touch();
      await atSettings(users.several);
      const section = page.getByRole('region', { name: 'Passkeys', exact: true });
      await section.getByRole('button', { name: 'Add a Passkey' }).click();
      await new TwoStepSetup(page).verify();
      await expect(section.getByRole('listitem')).toHaveCount(1);
      await authenticator.touch(false);
      return authenticator;
    });
  },
});

/** Whether it can be started; Node.js always runs these tests. */
const isInstalled = (name: ServerName): boolean =>
  (({ apache: findApache, authlib: findAuthlib })[name as string] ?? (() => true))() !== null;

/** Proves the identity to continue to an application. */
async function proveByPasskey(page: Page, authenticator: Authenticator): Promise<void> {
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  const { host } = new URL(page.url());
  await authenticator.touch();
  await page.getByRole('button', { name: 'Use a Passkey', exact: true }).click();
  await page.waitForURL((url) => url.host !== host);
  await authenticator.touch(false);
}

test.describe('An application that others have written', { tag: '@long' }, () => {
  for (const name of [
    'apache',
    'authlib',
    'openid-client',
    'openid-client-5',
    'express-openid-connect',
  ] as const)
    test(`signs in, renews its tokens, steps up, hears a sign-out and signs out: ${name}`, async ({
      page,
      environment,
      startServer,
      withPasskey,
      login,
      pageFaults,
    }) => {
      test.skip(!isInstalled(name), 'It is not installed.');
      // Its pages have no icon. Tabs of the sign-on page find out that the session has ended.
      pageFaults.allow(failedRequest(404), failedRequest(401));
      const application = await startServer(page, name);
      const authenticator = await withPasskey();
      await application.signIn();
      const first = await application.me();
      expect(first).toMatchObject({ userinfo: { given_name: 'Sam' }, id_token: { acr: 'urn:vestibule:1' } });
      const refreshToken = first?.refresh_token;
      const renewals = [first, await application.renew(), await application.renew()];
      expect(renewals).toMatchObject(renewals.map(() => ({ refresh_token: refreshToken })));
      expect(new Set(renewals.map((visit) => visit?.access_token)).size).toBe(3);

      await application.stepUp();
      await proveByPasskey(page, authenticator);
      await expect.poll(() => application.me()).toMatchObject({ id_token: { acr: 'urn:vestibule:2' } });

      const other = await environment.tokensFor(users.several, password);
      await endOthers(environment, other.token);
      await expect.poll(() => application.me(), { timeout: 2_000 }).toBeNull();

      await application.signIn();
      await login.signInAs(users.several, password);
      await expect.poll(() => application.me()).not.toBeNull();
      await expect(page).toHaveURL(await application.signOut());
      expect(await application.me()).toBeNull();
      await page.goto('/account-settings');
      await expect(login.username).toBeVisible();
    });

  for (const name of ['authlib', 'openid-client', 'openid-client-5'] as const)
    test(`learns whether its tokens are active, and revokes them: ${name}`, async ({
      page,
      startServer,
      signedInAs,
      pageFaults,
    }) => {
      test.skip(!isInstalled(name), 'It is not installed.');
      pageFaults.allow(failedRequest(404));
      const application = await startServer(page, name);
      await signedInAs(users.several);
      await application.signIn();
      const tokens = ['access_token', 'refresh_token'] as const;
      for (const token of tokens) expect([token, await application.isActive(token)]).toEqual([token, true]);
      for (const token of tokens) {
        await application.revoke(token);
        expect([token, await application.isActive(token)]).toEqual([token, false]);
      }
    });

  test('renews its tokens for six requests at once: apache', async ({
    page,
    environment,
    startServer,
    signedInAs,
    pageFaults,
  }) => {
    test.skip(!isInstalled('apache'), 'It is not installed.');
    pageFaults.allow(failedRequest(404));
    const application = await startServer(page, 'apache');
    await signedInAs(users.several);
    await application.signIn();
    const exchanges = (await environment.calls('POST /oidc/token')).length;
    expect(await application.openTogether(6)).toEqual(Array(6).fill(200));
    const statuses = (await environment.calls('POST /oidc/token')).map(({ status }) => status);
    expect(statuses.slice(exchanges)).toEqual(Array(6).fill(200));
    expect(await application.renew()).not.toBeNull();
  });

  test('signs in by form_post in a hidden frame on a host of the family: openid-client', async ({
    page,
    startServer,
    signedInAs,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(404));
    const application = await startServer(page, 'openid-client');
    await signedInAs(users.several);
    const frame = await application.openFrame();
    await expect(frame.getByText('Sam', { exact: true })).toBeAttached();
  });

  test('signs in, renews its tokens, steps up, learns of a sign-out and signs out: oidc-client-ts', async ({
    page,
    environment,
    startPage,
    withPasskey,
    login,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(404), failedRequest(401), failedRequest(400));
    const authenticator = await withPasskey();
    const application = await startPage(page);
    await application.open();
    await application.signIn();
    await application.untilBack();
    const first = await application.user();
    expect(first).toMatchObject({ given_name: 'Sam', acr: 'urn:vestibule:1' });
    for (const how of ['token', 'frame'] as const) {
      const before = await application.user();
      expect([how, await application.renew(how)]).toEqual([how, null]);
      expect(await application.user()).toMatchObject({ given_name: 'Sam', sid: first?.sid });
      expect((await application.user())?.token).not.toBe(before?.token);
    }

    await application.signIn({ max_age: 0 });
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await new TwoStepSetup(page).verify();
    await application.untilBack();
    const proved = await application.user();
    expect(proved).toMatchObject({ acr: 'urn:vestibule:1' });
    expect(proved?.auth_time).toBeGreaterThan(first?.auth_time ?? Infinity);
    await application.signIn({ acr_values: 'urn:vestibule:2' });
    await proveByPasskey(page, authenticator);
    await application.untilBack();
    expect(await application.user()).toMatchObject({ acr: 'urn:vestibule:2', sid: first?.sid });

    await endOthers(environment, (await environment.tokensFor(users.several, password)).token);
    expect(await application.renew('token')).toBe('invalid_grant');
    expect(await application.renew('frame')).toBe('login_required');

    await application.signIn({ login_hint: users.several });
    await expect(login.username).toHaveValue(users.several);
    await login.next();
    await login.typePassword(password);
    await login.signIn();
    await application.untilBack();
    await application.signOut();
    expect(await application.user()).toBeNull();
    await page.goto('/account-settings');
    await expect(login.username).toBeVisible();
  });

  test('verifies its ID token, and revokes its tokens by itself and at a sign-out: oidc-client-ts', async ({
    page,
    environment,
    startPage,
    signedInAs,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(404), failedRequest(401));
    await signedInAs(users.several);
    const application = await startPage(page);
    await application.open();
    await application.signIn();
    await application.untilBack();
    expect(await application.verify()).toBe('RS256');
    expect(await application.revoke()).toBe(401);

    await application.signIn();
    await application.untilBack();
    await application.signOut();
    expect(await application.user()).toBeNull();
    const statuses = (await environment.calls('POST /oidc/revocation')).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
  });

  test('keeps its session when two tabs renew at once: oidc-client-ts', async ({
    page,
    context,
    startPage,
    signedInAs,
    pageFaults,
    ports,
  }) => {
    pageFaults.allow(failedRequest(404));
    await signedInAs(users.several);
    const one = await startPage(page);
    await one.open();
    await one.signIn();
    await one.untilBack();
    const otherPage = await context.newPage();
    const other = new BrowserApplication(otherPage, 'sameSite', ports.browser);
    await other.open();

    const tokenCalls = '**/oidc/token';
    const release = await holdRequests(context, tokenCalls);
    const asked = Promise.all([page, otherPage].map((tab) => tab.waitForRequest(tokenCalls)));
    const renewals = Promise.all([one.renew('token'), other.renew('token')]);
    await asked;
    release();
    expect(await renewals).toEqual([null, null]);
    expect([await one.renew('token'), await other.renew('token')]).toEqual([null, null]);
    expect(await other.user()).toMatchObject({ given_name: 'Sam' });
  });

  test('is not signed in by a hidden frame on another site, although the user is: oidc-client-ts', async ({
    page,
    startPage,
    signedInAs,
    pageFaults,
  }) => {
    pageFaults.allow(failedRequest(404));
    await signedInAs(users.several);
    const application = await startPage(page, 'otherSite');
    await application.open();
    expect(await application.renew('frame')).toBe('login_required');
    await application.signIn();
    // Another program could listen at its address, which is no https.
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await application.untilBack();
    expect(await application.user()).toMatchObject({ given_name: 'Sam' });
  });
});

/** The applications of one browser, each in a tab of its own. */
type Tabs = Readonly<Record<'ledger' | 'hub' | 'reports' | 'apache' | 'browser', Page>>;

test.describe('A sign-out', { tag: '@long' }, () => {
  test.skip(findApache() === null, 'Apache with mod_auth_openidc is not installed.');
  const press = (name: string) => (tab: Page) => tab.getByText(name, { exact: true }).first().click();

  for (const from of ['ledger', 'reports', 'apache', 'browser'] as const)
    test(`in one of five applications ends all of them within 2 s, or with their next call: ${from}`, async ({
      context,
      environment,
      startServer,
      startPage,
      signedInAs,
      pageFaults,
    }) => {
      pageFaults.allow(failedRequest(404), failedRequest(401), failedRequest(400));
      const tab = () => context.newPage();
      const tabs: Tabs = {
        ledger: await tab(),
        hub: await tab(),
        reports: await tab(),
        apache: await tab(),
        browser: await tab(),
      };
      await signedInAs(users.several);
      const apache = await startServer(tabs.apache, 'apache');
      const browser = await startPage(tabs.browser);
      for (const role of ['ledger', 'hub'] as const) await tabs[role].goto(`${environment.origin(role)}/`);
      await tabs.reports.goto(`${environment.origin('reports')}/sign-in`);
      await apache.signIn();
      await browser.open();
      await browser.signIn();
      await browser.untilBack();
      for (const role of ['ledger', 'hub', 'reports'] as const)
        await expect(tabs[role].getByText('Signed in as Sam')).toBeVisible();
      expect(await apache.me()).not.toBeNull();
      expect(await browser.renew('token')).toBeNull();

      await {
        ledger: press('Sign out'),
        reports: press('Sign out'),
        apache: () => apache.signOut(),
        browser: () => browser.signOut(),
      }[from](tabs[from]);
      // They hear of it.
      const ends = Date.now() + 2_000;
      const heard = [tabs.ledger, tabs.hub].map((one) =>
        expect(one.getByText('Nobody is signed in.')).toBeVisible({ timeout: 2_000 }),
      );
      await Promise.all([...heard, expect.poll(() => apache.me(), { timeout: 2_000 }).toBeNull()]);
      expect(Date.now()).toBeLessThan(ends);
      // They ask.
      await tabs.reports.goto(`${environment.origin('reports')}/`);
      await expect(tabs.reports.getByText('Nobody is signed in.')).toBeVisible();
      if (from === 'browser') expect(await browser.user()).toBeNull();
      else expect(await browser.renew('token')).toBe('invalid_grant');
    });
});
