import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import {
  chromium,
  expect,
  firefox,
  test,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
} from '@playwright/test';
import { LoginPage } from './pages/LoginPage';
import { password, startDeployment, type Deployment } from './support/deployment';
import { driverOf, engine } from './support/engine';
import { framedLogin, frameOf, recordMessages } from './support/framed';
import { userBrowser } from './support/userBrowser';

/** A certificate of the parent's own site is not needed: the browsers of these journeys accept any. */
const host = 'www.partner.test';

/** The parents, by path: what the integration guide says, a parent that denies the question, and one whose sandbox does. */
const frames: Readonly<Record<string, string>> = {
  '/': 'sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox allow-storage-access-by-user-activation" allow="clipboard-write; otp-credentials"',
  '/forbids': `allow="storage-access 'none'"`,
};

test.describe(
  'A frame of another site, over https and with third-party cookies blocked',
  { tag: '@long' },
  () => {
    // One deployment for all of them.
    test.describe.configure({ mode: 'default' });
    test.skip(engine === 'webkit', 'its driver resolves no names of a test');
    let deployment: Deployment;
    let parent: Server;
    let browser: Browser | undefined;
    let page: Page;
    let received: () => Promise<readonly unknown[]>;

    const partner = (at = '/'): string => `https://${host}:${(parent.address() as AddressInfo).port}${at}`;
    const login = (): string => `https://login.example.test:${deployment.httpsPort}`;
    const button = (name: string): Locator => frameOf(page).getByRole('button', { name, exact: true });
    const signedIn = (): Locator => frameOf(page).getByText('You are signed in', { exact: true });

    test.beforeAll(async () => {
      parent = createServer((request, response) => {
        const attributes = frames[request.url ?? ''] ?? '';
        response.setHeader('Content-Type', 'text/html');
        response.end(
          `<!doctype html><title>Partner</title><iframe title="Sign-on page" width="600" height="500" src="${login()}/login" ${attributes}></iframe>`,
        );
      });
      await new Promise<void>((resolve) => parent.listen(0, resolve));
      deployment = await startDeployment({ parentOrigins: [new URL(partner()).origin] });
      const [key, cert] = ['key.pem', 'cert.pem'].map((name) =>
        readFileSync(path.join(deployment.folder, name)),
      );
      parent.setSecureContext({ key, cert });
    });

    test.afterAll(async () => {
      parent.close();
      await deployment.stop();
    });

    test.afterEach(async () => {
      await browser?.close();
      browser = undefined;
    });

    /** A browser with one page, whose user will answer so if the browser asks. Chromium's is asked in `agree`. */
    const open = async (answer: 'agrees' | 'refuses'): Promise<BrowserContext> => {
      browser = await (engine === 'firefox' ? openFirefox(answer) : openChromium());
      const context = await browser.newContext({ ignoreHTTPSErrors: true });
      page = await context.newPage();
      received = await recordMessages(page);
      return context;
    };

    const signInAtItsOwnPage = async (own: Page): Promise<void> => {
      await own.goto(`${login()}/login`);
      await new LoginPage(own).signInAs('ada@example.test', password);
      await expect(own).toHaveURL(/\/account-settings$/);
    };

    /** Chromium draws its question outside of any page, where no driver presses: this is its 'Allow'. */
    const agree = async (): Promise<void> => {
      if (engine === 'firefox') return;
      const ofPage = await page.context().newCDPSession(page);
      const { targetInfo } = await ofPage.send('Target.getTargetInfo');
      const { browserContextId } = targetInfo;
      const ofBrowser = await browser?.newBrowserCDPSession();
      const permission = { name: 'storage-access' };
      const origins = { origin: new URL(partner()).origin, embeddedOrigin: login() };
      await ofBrowser?.send('Browser.setPermission', {
        ...{ permission, setting: 'granted', ...origins },
        ...(browserContextId !== undefined && { browserContextId }),
      });
    };

    test('one press goes on with the session, tells the parent, and is not needed again', async () => {
      const context = await open('agrees');
      await signInAtItsOwnPage(await context.newPage());
      await page.goto(partner());
      await expect(button('Continue')).toBeVisible();
      await agree();
      await press(button('Continue'));
      await expect(signedIn()).toBeVisible();
      const from = (data: string) => ({ data, origin: login() });
      expect(await received()).toEqual([from('removed_tokens'), from('new_tokens')]);
      await page.reload();
      await expect(signedIn()).toBeVisible();
      expect(await received()).toEqual([]);
    });

    test('a user without a session signs in inside the frame, and the session is that of every window', async () => {
      test.skip(engine === 'firefox', 'its driver types nothing in a frame of another site');
      const context = await open('agrees');
      await page.goto(partner());
      await expect(button('Continue')).toBeVisible();
      await agree();
      await press(button('Continue'));
      await framedLogin(page).signInAs('ada@example.test', password);
      await expect(signedIn()).toBeVisible();
      const own = await context.newPage();
      await own.goto(`${login()}/account-settings`);
      await expect(own.getByRole('button', { name: 'Logout', exact: true })).toBeVisible();
    });

    test('a browser that refuses has the user sign in at the page itself first, then says what to do', async () => {
      const context = await open('refuses');
      await page.goto(partner());
      await press(button('Continue'));
      const link = frameOf(page).getByRole('link', { name: 'Open the Sign-In Page', exact: true });
      await expect(link).toBeVisible();
      const [own] = await Promise.all([context.waitForEvent('page'), press(link)]);
      await signInAtItsOwnPage(own);
      await own.close();
      await press(button('Continue'));
      await expect(
        frameOf(page).getByText(
          'Your browser does not let this page use your sign-in inside another site. Allow cookies of login.example.test in its settings, then try again.',
          { exact: true },
        ),
      ).toBeVisible();
      // Firefox answers the same for as long as it runs.
      if (engine === 'firefox') return;
      await agree();
      await press(button('Try Again'));
      await expect(signedIn()).toBeVisible();
    });

    test('a parent whose Permissions-Policy denies the question is named as the reason', async () => {
      test.skip(engine === 'firefox', 'it has no such policy');
      await open('refuses');
      await page.goto(partner('/forbids'));
      await expect(
        frameOf(page).getByText(
          'The site around this page does not let it use your sign-in. You can sign in on the sign-in page itself.',
          { exact: true },
        ),
      ).toBeVisible();
      await expect(frameOf(page).getByRole('button')).toHaveCount(0);
    });
  },
);

/** The driver of Firefox reaches no frame of another site with its mouse; its scripts count as the user's. */
async function press(control: Locator): Promise<void> {
  if (engine === 'firefox') await control.evaluate((element: HTMLElement) => element.click());
  else await control.click();
}

async function openChromium(): Promise<Browser> {
  const options = userBrowser();
  return await chromium.launch({
    ...options,
    args: [...(options.args ?? []), '--host-resolver-rules=MAP *.test 127.0.0.1'],
  });
}

async function openFirefox(answer: 'agrees' | 'refuses'): Promise<Browser> {
  const { launchOptions } = driverOf('firefox').options;
  const answers = {
    // Firefox asks in its own bar, where no driver presses: this is its user's answer.
    'dom.storage_access.auto_grants': false,
    'dom.storage_access.prompt.testing': true,
    'dom.storage_access.prompt.testing.allow': answer === 'agrees',
    // A press that is a script's opens no window.
    'dom.disable_open_during_load': false,
    'network.dns.forceResolve': '127.0.0.1',
  };
  return await firefox.launch({
    ...launchOptions,
    firefoxUserPrefs: { ...launchOptions?.firefoxUserPrefs, ...answers },
  });
}
