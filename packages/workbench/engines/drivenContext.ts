import { setTimeout as pause } from 'node:timers/promises';
import type { Cookie } from '@playwright/test';
import { DrivenClock } from './drivenClock';
import { DrivenPage, WindowEvents } from './drivenPage';
import { cannot, reads } from './reads';
import type { RecordingProxy, RouteHandler, RouteMatcher, SeenRequest } from './recordingProxy';
import type { WebDriverSession } from './webDriver';

/** How often the browser is asked for its windows, ms: the protocol has no events. */
const betweenLooks = 150;

interface DriverCookie extends Omit<Cookie, 'expires'> {
  readonly expiry?: number;
}

/**
 * Playwright's browser context over WebDriver: one browser. Its first window holds a page of the login host that runs nothing, in which
 * cookies are read and written, because the protocol knows only those of a page.
 */
export class DrivenContext {
  readonly events = new WindowEvents(['page']);
  readonly clock: DrivenClock = reads(new DrivenClock(this), 'clock');
  private readonly open = new Map<string, DrivenPage>();
  private watching = true;

  private constructor(
    private readonly session: WebDriverSession,
    private readonly proxy: RecordingProxy,
    readonly baseURL: string,
    private readonly jar: string,
  ) {}

  static async over(
    session: WebDriverSession,
    proxy: RecordingProxy,
    baseURL: string,
  ): Promise<DrivenContext> {
    const jar = await session.alone(async () => await session.command<string>('GET', '/window'));
    await session.inWindow(jar, async () => {
      await session.changePage('/url', { url: `${baseURL}/assets/none` });
    });
    const context = reads(new DrivenContext(session, proxy, baseURL, jar), 'context');
    proxy.scripts.push(context.clock.script);
    void context.watch();
    return context;
  }

  pages() {
    return [...this.open.values()].filter((page) => !page.isClosed());
  }
  on(event: string, listener: ((page: DrivenPage) => void) & ((request: SeenRequest) => void)) {
    if (event === 'request') this.proxy.listeners.push(listener);
    else this.events.on(event, listener);
  }
  addInitScript<Argument>(script: (argument: Argument) => unknown, argument?: Argument) {
    const source = `(${script.toString()})(${argument === undefined ? '' : JSON.stringify(argument)});`;
    this.proxy.scripts.push(() => source);
  }
  exposeBinding(name: string, hear: (source: object, ...args: readonly unknown[]) => void) {
    this.proxy.tell(name, (...args) => {
      hear({}, ...args);
    });
  }
  route(matches: RouteMatcher, handler: RouteHandler) {
    this.proxy.route(matches, handler);
  }
  async waitForEvent(event: string) {
    return await this.events.next(event);
  }
  async newPage() {
    return await this.session.alone(async () => {
      const { handle } = await this.session.command<{ handle: string }>('POST', '/window/new', {
        // The page of a tab behind another is hidden, and hears no mouse.
        type: 'window',
      });
      return this.add(handle);
    });
  }

  async cookies() {
    const found = await this.inJar(async () => await this.session.command<DriverCookie[]>('GET', '/cookie'));
    return found.map(({ expiry, ...cookie }) => ({ ...cookie, expires: expiry ?? -1 }));
  }
  async addCookies(cookies: readonly Partial<Cookie & { readonly url: string }>[]) {
    for (const { url, ...cookie } of cookies) {
      if (url !== undefined && new URL(url).origin !== this.baseURL) cannot(`cookies of ${url}`);
      await this.inJar(async () => {
        await this.session.command('POST', '/cookie', { cookie: { path: '/', ...cookie } });
      });
    }
  }
  async clearCookies({ name }: { readonly name?: string } = {}) {
    await this.inJar(async () => {
      await this.session.command('DELETE', name === undefined ? '/cookie' : `/cookie/${name}`);
    });
  }

  /** Ends the watch; the session is closed by who opened it. */
  async close() {
    this.watching = false;
    await this.session.alone(() => Promise.resolve());
  }

  private async inJar<Result>(task: () => Promise<Result>) {
    return await this.session.inWindow(this.jar, task);
  }
  private add(handle: string) {
    const page = reads(new DrivenPage(this, this.session, handle), 'page');
    this.open.set(handle, page);
    return page;
  }
  private async watch() {
    while (this.watching) {
      await this.session.alone(async () => {
        const handles = await this.session.command<string[]>('GET', '/window/handles');
        for (const [handle, page] of this.open) if (!handles.includes(handle)) page.hasClosed();
        for (const handle of handles) {
          if (handle === this.jar || this.open.has(handle)) continue;
          const before = this.pages();
          const page = this.add(handle);
          this.events.emit('page', page);
          for (const opener of before) opener.events.emit('popup', page);
        }
      });
      await pause(betweenLooks);
    }
  }
}
