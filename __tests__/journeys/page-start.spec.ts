import type { Response } from '@playwright/test';
import { password, users } from './support/users';
import { failedRequest } from './support/pageFaults';
import { servePage } from './support/servePage';
import { expect, test } from './support/test';

test.describe('The page', () => {
  test('runs under the policy of a deployment, calls only its own host and the service, and hides its store', async ({
    page,
    environment,
    login,
    settings,
  }) => {
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    const files: Response[] = [];
    page.on('response', (response) => {
      if (/\.(?:js|css)$/.test(response.url())) files.push(response);
    });
    await page.addInitScript(() => {
      const seen = { connections: 0 };
      const connect = (): never => {
        seen.connections += 1;
        throw new Error('connected');
      };
      Object.assign(window, {
        seen,
        __REDUX_DEVTOOLS_EXTENSION_COMPOSE__: connect,
        __REDUX_DEVTOOLS_EXTENSION__: Object.assign(connect, { connect }),
      });
    });
    const answer = await page.goto('/login');

    await test.step('the headers', () => {
      const headers = answer?.headers() ?? {};
      const policy = (headers['content-security-policy'] ?? '').split('; ');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          expect.stringMatching(/^script-src 'self'(?: 'sha256-[^' ]+'){2}$/),
          // The page's own, and that of the themes.
          expect.stringMatching(/^style-src 'self'(?: 'sha256-[^' ]+'){2}$/),
          `connect-src 'self' ${environment.origin('api')}`,
          "base-uri 'none'",
          "form-action 'none'",
          "require-trusted-types-for 'script'",
        ]),
      );
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
      expect(headers['cache-control']).toBe('no-store');
    });

    await test.step('the first screen', async () => {
      await expect(login.username).toBeVisible();
      await expect(page).toHaveTitle(/\S/);
      await expect(page.locator('html')).toHaveAttribute('lang', 'en');
      const connection = page.locator('link[rel="preconnect"]');
      await expect(connection, 'not before it is needed').toHaveCount(0);
      await login.typeUsername(users.ada);
      await expect(connection).toHaveAttribute('href', new RegExp(`^${environment.origin('api')}`));
      await expect(connection).toHaveAttribute('crossorigin', 'anonymous');
      await page.waitForLoadState('networkidle');
      expect(await environment.calls(), 'calls before the username is sent').toEqual([]);
      const texts = await Promise.all(files.map((file) => file.text()));
      expect(texts.length).toBeGreaterThan(1);
      expect(texts.join('')).not.toContain('sourceMappingURL');
      expect(texts[0], 'compiled while it arrives').toMatch(/^\/\/# allFunctionsCalledOnLoad\n/);
    });

    await test.step('a sign-in', async () => {
      await login.signInAs(users.several, password);
      await settings.expectOpen();
      expect([...origins].sort()).toEqual([environment.origin('api'), environment.origin('app')].sort());
      expect(await page.evaluate(() => (window as unknown as { seen: unknown }).seen)).toEqual({
        connections: 0,
      });
    });
  });

  test('does not start when its configuration is incomplete, malformed or not JSON, and names the error', async ({
    page,
    environment,
    login,
    pageFaults,
  }) => {
    pageFaults.allow(/^vestibule: configuration refused/);
    const complaints: string[] = [];
    page.on('console', (entry) => complaints.push(entry.text()));
    for (const { html, message } of [
      { html: (text: string) => text.replace('"prefix":', '"prefiks":'), message: /cookies\.prefix/ },
      {
        html: (text: string) => text.replace(/"serviceUrl":"[^"]*"/, '"serviceUrl":"api"'),
        message: /serviceUrl/,
      },
      {
        html: (text: string) => text.replace(/(id="?app-config"?[^>]*>)/, '$1{'),
        message: /app-config/,
      },
      {
        html: (text: string) => text.replace('"devTools":', '"languages":["en","de","fr","es"],"devTools":'),
        message: /'languages' must be filled in/,
      },
      {
        html: (text: string) =>
          text.replace('"look":"default"}', '"look":"default","theme":{"primary":"#005577"}}'),
        message: /'brands\.[\w-]+\.theme' must be filled in/,
      },
    ]) {
      complaints.length = 0;
      await page.unrouteAll();
      await servePage(page, environment, { html });
      await login.open();
      await expect(page.getByText(message)).toBeVisible();
      await expect(login.username).toHaveCount(0);
      expect(complaints.join('\n')).toMatch(message);
    }
  });

  test('starts with a configuration that was written by hand, and checks it itself', async ({
    page,
    environment,
  }) => {
    const mark = / data-checked="[^"]*"/;
    const html = (text: string) => {
      expect(text).toMatch(mark);
      // Without the key: the default, `auto`.
      return text.replace(mark, '').replace('"oneTimeLinks":"auto",', '');
    };
    await servePage(page, environment, { html });
    await page.goto('/unauthorized');
    await expect(page.getByRole('heading')).toBeVisible();
  });

  for (const missing of ['canParse', 'any'] as const) {
    test(`says at once, at every address, that the browser is too old, without '${missing}'`, async ({
      page,
      pageFaults,
    }) => {
      // The application does not start.
      pageFaults.allow(/The page has no element 'root'/, failedRequest('ERR_FAILED'));
      await page.addInitScript((name) => {
        for (const owner of [URL, AbortSignal]) Reflect.deleteProperty(owner, name);
      }, missing);
      const expectSentence = async () => {
        await expect(page.locator('body')).toHaveText(
          /^\s*Your browser is too old for this page\. Update it, or use a current version of Chrome, Edge, Firefox or Safari\.\s*$/,
        );
      };
      const files = (url: URL) => url.pathname.startsWith('/assets/');
      await page.route(files, (route) => route.abort());
      for (const path of ['/login', '/account-settings', '/reset-password/abc']) {
        await page.goto(path);
        await expectSentence();
      }
      await page.unroute(files);
      await page.goto('/login', { waitUntil: 'load' });
      await expectSentence();
    });
  }
});

test(
  'another site cannot keep a reference to a window that another spelling of the return point leads to /login',
  { tag: '@long' },
  async ({ page, context, environment, pageFaults }) => {
    // The unlisted site's page tries to frame ours.
    pageFaults.allow(/violates the following Content Security Policy directive: "frame-ancestors/);
    await page.goto(`${environment.origin('unlisted')}/`);
    for (const path of [
      '/oauth-redirect/x',
      '/oauth-redirect/',
      '/OAUTH-REDIRECT',
      '/%6fauth-redirect',
      '//oauth-redirect',
    ]) {
      const [opened] = await Promise.all([
        context.waitForEvent('page'),
        page.evaluate(
          (address) => {
            Object.assign(window, { held: window.open(address) });
          },
          environment.origin('app') + path,
        ),
      ]);
      await expect(opened, path).toHaveURL(`${environment.origin('app')}/login`);
      expect(await opened.evaluate(() => window.opener as unknown), path).toBeNull();
      expect(await page.evaluate(() => (window as unknown as { held: Window }).held.closed), path).toBe(true);
      await opened.close();
    }
  },
);

test(
  'from the return point, the link to /login opens a new page',
  { tag: '@long' },
  async ({ page, environment }) => {
    await page.goto('/oauth-redirect');
    await page.evaluate(() => Object.assign(window, { marked: true }));
    await page.getByRole('link', { name: 'Sign In', exact: true }).click();

    await expect(page).toHaveURL(`${environment.origin('app')}/login`);
    await expect(page.getByRole('textbox', { name: 'Username', exact: true })).toBeVisible();
    expect(await page.evaluate(() => 'marked' in window)).toBe(false);
  },
);
