import type { Response } from '@playwright/test';
import { servePage } from './support/servePage';
import { password, people } from './support/people';
import { expect, test } from './support/test';

test.describe('The page', () => {
  test('runs under the policy that a deployment sends, from the login to the settings', async ({
    page,
    world,
    login,
    settings,
  }) => {
    const answer = await page.goto('/login');
    const headers = answer?.headers() ?? {};
    const policy = (headers['content-security-policy'] ?? '').split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        `connect-src 'self' ${world.origin('api')}`,
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups');
    expect(headers['cache-control']).toBe('no-store');

    await login.signInAs(people.sam, password);
    await settings.expectOpen();
    await page.goto('/unauthorized');
    await expect(page.getByRole('heading', { name: 'Your Link Has Expired', exact: true })).toBeVisible();
  });

  test('asks no host but its own and the service’s', async ({ page, world, login, settings }) => {
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    await login.open();
    await login.signInAs(people.sam, password);
    await settings.expectOpen();

    expect([...origins].sort()).toEqual([world.origin('api'), world.origin('app')].sort());
  });

  test('calls nobody before the username is sent', async ({ page, world, login }) => {
    await login.open();
    await login.typeUsername(people.ada);
    await page.waitForLoadState('networkidle');

    expect(await world.calls()).toEqual([]);
  });

  test('names no source map in its files', async ({ page, login }) => {
    const files: Response[] = [];
    page.on('response', (response) => {
      if (/\.(?:js|css)$/.test(response.url())) files.push(response);
    });
    await login.open();
    await page.waitForLoadState('networkidle');

    const texts = await Promise.all(files.map((file) => file.text()));
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join('')).not.toContain('sourceMappingURL');
  });

  test('does not let Redux DevTools connect', async ({ page, login, settings }) => {
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
    await login.open();
    await login.signInAs(people.sam, password);
    await settings.expectOpen();

    expect(await page.evaluate(() => (window as unknown as { seen: unknown }).seen)).toEqual({
      connections: 0,
    });
  });

  for (const { what, html, message } of [
    {
      what: 'lacks a key',
      html: (text: string) => text.replace('"prefix":', '"prefiks":'),
      message: /cookies\.prefix/,
    },
    {
      what: 'has a malformed key',
      html: (text: string) => text.replace(/"serviceUrl":"[^"]*"/, '"serviceUrl":"api"'),
      message: /serviceUrl/,
    },
    {
      what: 'is not JSON',
      html: (text: string) => text.replace(/(id="?app-config"?[^>]*>)/, '$1{'),
      message: /app-config/,
    },
  ]) {
    test(`does not start when its configuration ${what}, and says which`, async ({
      page,
      world,
      login,
      pageFaults,
    }) => {
      const complaints: string[] = [];
      page.on('console', (entry) => complaints.push(entry.text()));
      pageFaults.allow(/^vestibule: configuration refused/);
      await servePage(page, world, { html });
      await login.open();

      await expect(page.getByText(message)).toBeVisible();
      await expect(login.username).toHaveCount(0);
      expect(complaints.join('\n')).toMatch(message);
    });
  }

  test('has a title and a language', async ({ page, login }) => {
    await login.open();
    await expect(login.username).toBeVisible();
    await expect(page).toHaveTitle(/\S/);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  });
});
