import type { BrowserContext, Page } from '@playwright/test';
import type { ProviderTraffic } from './providerTraffic';

/** Everything that one browser stores or outputs, as named texts in which a secret can be searched. */
type Traces = Readonly<Record<string, string>>;

type PageTraces = Traces & { readonly address: string; readonly history: string };

/** Records the consoles of a context, at every level, from now on. */
export function hearConsoles(context: BrowserContext): () => string {
  const lines: string[] = [];
  context.on('console', (message) => lines.push(message.text()));
  return () => lines.join('\n');
}

/** The current and earlier addresses of a page, and what its origin stores. */
export async function tracesOf(page: Page): Promise<PageTraces> {
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send('Page.getNavigationHistory');
  await session.detach();
  const kept = await page.evaluate(async () => {
    const caches_ = await Promise.all(
      (await caches.keys()).map(async (name) =>
        (await (await caches.open(name)).keys()).map(({ url }) => url),
      ),
    );
    return {
      markup: document.documentElement.outerHTML,
      title: document.title,
      name: window.name,
      referrer: document.referrer,
      'history.state': JSON.stringify(history.state),
      localStorage: JSON.stringify(localStorage),
      sessionStorage: JSON.stringify(sessionStorage),
      indexedDB: JSON.stringify(await indexedDB.databases()),
      caches: JSON.stringify(caches_),
      globals: Object.keys(window)
        .map((key) => String((window as unknown as Record<string, unknown>)[key]))
        .join('\n'),
    };
  });
  // `userTypedURL` is omitted: what the test itself typed stays there whatever the page does.
  const visited = JSON.stringify(entries.map(({ url, title }) => ({ url, title })));
  return { address: page.url(), history: visited, ...kept };
}

/** The cookies of the whole context. */
export async function tracesOfCookies(context: BrowserContext): Promise<Traces> {
  return { cookies: JSON.stringify(await context.cookies()) };
}

/** Which requests carried a secret, and where in them. */
export function carriersOf(traffic: ProviderTraffic, secret: string): readonly string[] {
  return traffic.all().flatMap((request) => {
    const { origin, pathname } = new URL(request.url());
    const where = `${request.method()} ${origin}${pathname}`;
    const { referer = '' } = request.headers();
    return [
      ...(request.url().includes(secret) ? [`${where} in the address`] : []),
      ...(referer.includes(secret) ? [`${where} in the referrer`] : []),
      ...(request.postData()?.includes(secret) === true ? [`${where} in the body`] : []),
    ];
  });
}

/** Names of the traces that contain a secret. */
export function holding(traces: Traces, secret: string): readonly string[] {
  return Object.entries(traces).flatMap(([name, text]) =>
    text.includes(secret) || text.includes(encodeURIComponent(secret)) ? [name] : [],
  );
}
