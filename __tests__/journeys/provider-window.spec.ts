import type { BrowserContext } from '@playwright/test';
import { focusPage } from './support/focus';
import { users, tokenCall } from './support/users';
import { providers } from './support/providerUsers';
import { expect, test } from './support/test';

/** Everything that any page posts to another one from now on, by channel or to its opener. */
async function hearPosts(context: BrowserContext): Promise<() => readonly unknown[]> {
  const posts: unknown[] = [];
  await context.exposeBinding('posted', (_source, message: unknown) => void posts.push(message));
  await context.addInitScript(() => {
    const { posted } = window as unknown as { posted: (message: unknown) => void };
    const post = BroadcastChannel.prototype.postMessage;
    BroadcastChannel.prototype.postMessage = function (message: unknown) {
      posted(message);
      post.call(this, message);
    };
    const opener = window.opener as Window | null;
    if (opener === null) return;
    const postToOpener = opener.postMessage.bind(opener) as (message: unknown, origin: string) => void;
    Object.defineProperty(window, 'opener', {
      value: {
        postMessage: (message: unknown, origin: string) => {
          posted(message);
          postToOpener(message, origin);
        },
      },
    });
  });
  return () => posts;
}

test.describe('The window of a provider', () => {
  for (const openerPolicy of ['same-origin', 'same-origin-allow-popups'] as const) {
    for (const { provider, only, firstName } of providers) {
      const details = provider === 'microsoft' && openerPolicy === 'same-origin' ? {} : { tag: '@long' };
      test(
        `that ${provider} severs (${openerPolicy}) still delivers its code, once`,
        details,
        async ({ environment, login, ledger, openProvider, providerTraffic }) => {
          await environment.provider({ provider, openerPolicy });
          await login.open();
          const window = await openProvider(() => login.enterUsername(only));
          await expect(login.providerLine).toHaveText('Finish in the other window, or try again.');
          await window.finish();

          await ledger.expectSignedIn(firstName);
          await window.expectClosed();
          expect(await environment.bodies(tokenCall)).toEqual([
            expect.objectContaining({ username: only, method: provider, code: providerTraffic.code() }),
          ]);
        },
      );
    }
  }

  for (const { provider, brand, only } of providers) {
    test(
      `closes silently when ${brand} answers with another state`,
      { tag: '@long' },
      async ({ context, page, environment, login, openProvider, providerTraffic }) => {
        const posts = await hearPosts(context);
        await environment.provider({ provider, trouble: 'wrong-state' });
        await login.open();
        const window = await openProvider(() => login.enterUsername(only));
        await window.finish();

        await window.expectClosed();
        expect(providerTraffic.code()).not.toBe('');
        expect(posts()).toEqual([]);
        await focusPage(page);
        await login.expectLoginError(`Unable to log in with ${brand}`);
        expect(await environment.calls(tokenCall)).toEqual([]);
      },
    );
  }

  test(
    'posts its code only to its own origin’s channel and opener, and stops after it was accepted',
    { tag: '@long' },
    async ({ context, environment, login, ledger, openProvider, providerTraffic }) => {
      const posts = await hearPosts(context);
      await login.open();
      const window = await openProvider(() => login.enterUsername(users.googleOnly));
      await window.finish();
      await ledger.expectSignedIn('Gina');
      await window.expectClosed();
      expect(posts()).toContainEqual({ type: 'oauth/code', code: providerTraffic.code() });

      const again = await context.newPage();
      const before = posts().length;
      // Firefox lets a page close a window that has shown nothing else; Chromium keeps it, with the last line.
      await again.goto(providerTraffic.returns()[0]?.href ?? '').catch((error: unknown) => {
        if (!again.isClosed()) throw error;
      });
      if (!again.isClosed()) {
        await expect(again.getByText('You can close this window.', { exact: true })).toBeVisible();
      }
      expect(posts()).toHaveLength(before);
      expect(await environment.calls(tokenCall)).toHaveLength(1);
    },
  );
});
