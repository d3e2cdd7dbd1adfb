import type { BrowserContext, Cookie, Page } from '@playwright/test';
import { familyDomain } from '@vestibule/local';
import { cookiePrefix } from '@vestibule/local';
import { expect } from './expect';
import type { Tokens, LocalEnvironment } from './environment';

/** Names of the family's cookies in the local environment (docs/behaviour.md#cookies). */
export const cookieName = {
  session: `${cookiePrefix}-session`,
  refresh: `${cookiePrefix}-session-refresh`,
  username: `${cookiePrefix}-username`,
  setup: `${cookiePrefix}-session-setup`,
  device: `${cookiePrefix}-device`,
} as const;

/** The cookies of the parent domain, as a sibling application reads and writes them. */
export class FamilyCookies {
  constructor(
    private readonly context: BrowserContext,
    private readonly environment: LocalEnvironment,
  ) {}

  /** The cookie of that name, or `undefined`. Fails when there are several. */
  async find(name: string): Promise<Cookie | undefined> {
    const found = (await this.context.cookies(this.environment.origin('app'))).filter(
      (cookie) => cookie.name === name,
    );
    if (found.length > 1) throw new Error(`There are ${String(found.length)} cookies called ${name}.`);
    return found[0];
  }

  /** Names of all cookies that the login host sees, sorted; without that of the device, which every sign-in leaves. */
  async names(): Promise<readonly string[]> {
    let names: readonly string[] = [];
    const read = async () => {
      const all = await this.context.cookies(this.environment.origin('app'));
      return (names = all.map(({ name }) => name).filter((name) => name !== cookieName.device));
    };
    // The page writes a probe and removes it at once. WebKit may be read between the two.
    await expect.poll(read).not.toContain(`${cookiePrefix}-probe`);
    return names.toSorted();
  }

  /** The value of a cookie, percent-decoded, or `undefined`. */
  async read(name: string): Promise<string | undefined> {
    const cookie = await this.find(name);
    return cookie === undefined ? undefined : decodeURIComponent(cookie.value);
  }

  /** Sets a cookie for the parent domain, as a sibling application does. */
  async leave(name: string, value: string, where: { readonly path?: string } = {}): Promise<void> {
    await this.context.addCookies([
      {
        name,
        value: encodeURIComponent(value),
        domain: `.${familyDomain}`,
        path: where.path ?? '/',
        sameSite: 'Lax',
      },
    ]);
  }

  /** Sets a cookie of the login host only. */
  async leaveOnLoginHost(name: string, value: string): Promise<void> {
    await this.context.addCookies([
      { name, value: encodeURIComponent(value), url: this.environment.origin('app'), sameSite: 'Lax' },
    ]);
  }

  /** Whether the browser keeps a Secure cookie of a page over http, as it may under `localhost`. Leaves the page on one of the family. */
  async areKeptIfSecure(page: Page): Promise<boolean> {
    await page.goto(`${this.environment.origin('start')}/`);
    return await page.evaluate(() => {
      document.cookie = 'probe=1; Secure';
      const isKept = document.cookie.includes('probe=1');
      document.cookie = 'probe=; Secure; Max-Age=0';
      return isKept;
    });
  }

  /**
   * Has a sibling host set HttpOnly cookies under the session's names, which leads to the login.
   *
   * @returns whether the browser shows this page what it writes over such a cookie, although it keeps the old one: that a write
   * is refused, no page can see there.
   */
  async plantHidden(page: Page): Promise<boolean> {
    await page.goto(`${this.environment.origin('ledger')}/plant/hidden`);
    const isDeceived = await page.evaluate((domain) => {
      document.cookie = `probe=refused; domain=${domain}; path=/`;
      return document.cookie.includes('refused');
    }, familyDomain);
    await this.context.clearCookies({ name: 'probe' });
    return isDeceived;
  }

  /** Removes the session, as a sibling application does at a sign-out. */
  async forgetSession(): Promise<void> {
    for (const name of [cookieName.session, cookieName.refresh]) await this.context.clearCookies({ name });
  }

  /** Sets the cookies of a session. */
  async leaveSession({ token, refresh }: Tokens): Promise<void> {
    await this.leave(cookieName.session, JSON.stringify({ authenticated: { token, refresh } }));
    await this.leave(cookieName.refresh, refresh);
  }
}
