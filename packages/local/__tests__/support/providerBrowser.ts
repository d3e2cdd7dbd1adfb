import { ask, type Answered } from './ask.ts';

/** A page that the browser shows. */
export interface ShownPage {
  readonly address: string;
  readonly status: number;
  readonly headers: Answered['headers'];
  readonly text: string;
}

/** Where a flow ended: at a page of the provider, or at the application. */
export type Arrival =
  | { readonly at: 'provider'; readonly page: ShownPage }
  /** The query with which the provider sent the browser to `/oauth-redirect`. */
  | { readonly at: 'application'; readonly query: Readonly<Record<string, string>> };

/** A user agent at a provider's pages: follows redirects, keeps cookies, submits forms. */
export type ProviderBrowser = ReturnType<typeof providerBrowser>;

/** A browser without cookies. `redirectUri` ends a flow. */
export function providerBrowser(redirectUri: string) {
  let jar: readonly Record<'host' | 'name' | 'path' | 'value', string>[] = [];
  const keep = (url: URL, lines: readonly string[]): void => {
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
      const gone = value === '' || attributes.some((one) => /^expires=thu, 01 jan 1970/i.test(one));
      jar = jar.filter((one) => one.host !== url.host || one.name !== name || one.path !== path);
      if (!gone) jar = [...jar, { host: url.host, name, path, value }];
    }
  };
  const cookiesFor = (url: URL): string =>
    jar
      .filter(
        ({ host, path }) => host === url.host && (path === '/' || `${url.pathname}/`.startsWith(`${path}/`)),
      )
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');

  const followRedirects = async (address: string, form?: URLSearchParams): Promise<Arrival> => {
    const url = new URL(address);
    if (address.startsWith(`${redirectUri}?`)) {
      return { at: 'application', query: Object.fromEntries(url.searchParams) };
    }
    const answered = await ask(address, {
      method: form === undefined ? 'GET' : 'POST',
      headers: {
        Accept: 'text/html',
        Cookie: cookiesFor(url),
        ...(form === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(form === undefined ? {} : { body: form.toString() }),
    });
    keep(url, answered.headers['set-cookie'] ?? []);
    const { location } = answered.headers;
    if (location !== undefined) return followRedirects(new URL(location, address).href);
    return {
      at: 'provider',
      page: { address, status: answered.status, headers: answered.headers, text: answered.text },
    };
  };

  return {
    go: (address: string) => followRedirects(address),
    /** Submits the form of a page with these fields and this button. */
    press: (page: ShownPage, answer: string, fields: Readonly<Record<string, string>> = {}) => {
      const action = /<form method="post" action="([^"]+)"/.exec(page.text)?.[1];
      if (action === undefined) throw new Error(`There is no form on ${page.address}:\n${page.text}`);
      return followRedirects(new URL(action, page.address).href, new URLSearchParams({ ...fields, answer }));
    },
  };
}

/** The expected page; the test fails for any other. */
export function pageOf(arrival: Arrival): ShownPage {
  if (arrival.at === 'provider') return arrival.page;
  throw new Error(`The application was reached: ${JSON.stringify(arrival.query)}`);
}

/** The query of the expected redirect to the application. */
export function queryOf(arrival: Arrival): Readonly<Record<string, string>> {
  if (arrival.at === 'application') return arrival.query;
  throw new Error(`A page of the provider was reached (${arrival.page.status}):\n${arrival.page.text}`);
}
