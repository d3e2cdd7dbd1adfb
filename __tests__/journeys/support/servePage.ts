import type { Page } from '@playwright/test';
import type { LocalEnvironment } from './environment';

/** What a host does differently from the environment. */
interface PageChange {
  /** Headers to replace; an empty value removes the header. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly html?: (html: string) => string;
}

/**
 * Serves the login host's page to one tab as another deployment would. The page is fetched by address, because
 * Playwright's own fetch runs in Node, which does not resolve the name.
 */
export async function servePage(
  page: Page,
  environment: LocalEnvironment,
  change: PageChange,
): Promise<void> {
  const isDocument = (url: URL): boolean =>
    url.origin === environment.origin('app') && !url.pathname.startsWith('/assets/');
  await page.route(isDocument, async (route) => {
    const request = route.request();
    if (request.resourceType() !== 'document') {
      await route.continue();
      return;
    }
    const { pathname, search } = new URL(request.url());
    const answer = await environment.request('app', {
      method: 'GET',
      path: pathname + search,
      headers: { accept: 'text/html' },
    });
    const headers = { ...(answer.headers as Record<string, string>), ...change.headers };
    delete headers['content-length'];
    await route.fulfill({
      status: answer.status,
      headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
      body: change.html === undefined ? answer.body : change.html(answer.body),
    });
  });
}
