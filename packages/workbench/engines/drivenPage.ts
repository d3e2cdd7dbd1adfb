import { setTimeout as pause } from 'node:timers/promises';
import type { DrivenContext } from './drivenContext';
import { DrivenLocator, FrameRoot, Root } from './drivenLocator';
import type { Step } from './findInPage';
import { keysOf, pressed, typed } from './keys';
import { cannot, reads } from './reads';
import type { RouteHandler, RouteMatcher, SeenRequest } from './recordingProxy';
import { DriverError, type WebDriverSession } from './webDriver';

/** How long an awaited event may take, ms. */
const eventTimeout = 20_000;

/** How long a window may take to get its size, ms. */
const sizeTimeout = 5000;
const betweenLooks = 50;

/** An event of a page or a context that windows cause. */
export type WindowEvent = 'popup' | 'page' | 'close';

/** The window events of a page or a context. */
export class WindowEvents {
  private readonly listeners = new Map<WindowEvent, ((page: DrivenPage) => void)[]>();

  constructor(private readonly known: readonly WindowEvent[]) {}

  on(event: string, listener: (page: DrivenPage) => void) {
    const known = this.known.find((one) => one === event) ?? cannot(`event '${event}'`);
    this.listeners.set(known, [...(this.listeners.get(known) ?? []), listener]);
  }
  emit(event: WindowEvent, page: DrivenPage) {
    for (const listener of this.listeners.get(event) ?? []) listener(page);
  }
  async next(event: string): Promise<DrivenPage> {
    const heard: DrivenPage[] = [];
    this.on(event, (page) => heard.push(page));
    const end = Date.now() + eventTimeout;
    for (;;) {
      if (heard[0]) return heard[0];
      if (Date.now() > end) throw new Error(`The event '${event}' did not come.`);
      await pause(betweenLooks);
    }
  }
}

/** Playwright's page over WebDriver: one window. */
export class DrivenPage extends Root {
  readonly events = new WindowEvents(['popup', 'close']);
  private closed = false;

  constructor(
    private readonly owner: DrivenContext,
    readonly session: WebDriverSession,
    readonly handle: string,
  ) {
    super();
  }

  readonly keyboard = reads(
    {
      type: async (text: string) => {
        await this.command('/actions', keysOf(typed(text)));
      },
      press: async (keys: string) => {
        await this.command('/actions', keysOf(pressed(keys)));
      },
      // All at once, as an input method does; the protocol has no key for it.
      insertText: async (text: string) => {
        await this.run("(text) => document.execCommand('insertText', false, text)", text);
      },
    },
    'keyboard',
  );

  protected step(step: Step) {
    return reads(new DrivenLocator(this, [], [step]), 'locator');
  }
  frameLocator(selector: string) {
    return reads(new FrameRoot(this, [selector]), 'frameLocator');
  }
  get clock() {
    return this.owner.clock;
  }
  context() {
    return this.owner;
  }
  /** Requests are those of every page, because the proxy does not see which page makes them. */
  on(event: string, listener: ((page: DrivenPage) => void) & ((request: SeenRequest) => void)) {
    if (event === 'request') this.owner.on(event, listener);
    else this.events.on(event, listener);
  }
  once(event: string, listener: (page: DrivenPage) => void) {
    this.events.on(event, listener);
  }
  async waitForEvent(event: string) {
    return await this.events.next(event);
  }

  addInitScript<Argument>(script: (argument: Argument) => unknown, argument?: Argument) {
    this.owner.addInitScript(script, argument);
  }
  async goto(path: string) {
    await this.change('/url', { url: new URL(path, this.owner.baseURL).href });
  }
  async reload() {
    await this.change('/refresh');
  }
  async goBack() {
    await this.change('/back');
  }
  async goForward() {
    await this.change('/forward');
  }
  async bringToFront() {
    await this.session.inWindow(this.handle, () => Promise.resolve());
  }
  /** The address at this moment, or an empty one when the window is closed. */
  async address() {
    return await this.session
      .inWindow(this.handle, async () => await this.session.command<string>('GET', '/url'))
      .catch((error: unknown) => {
        if (error instanceof DriverError && error.code === 'no such window') return '';
        throw error;
      });
  }
  async evaluate<Result, Argument>(
    read: string | ((argument: Argument) => Result),
    argument?: Argument,
  ): Promise<Result> {
    const source = typeof read === 'string' ? `() => (${read})` : read.toString();
    return await this.run<Result>(source, argument ?? null);
  }
  /** Runs the source of a function in the page. */
  async run<Result>(source: string, ...args: readonly unknown[]): Promise<Result> {
    return await this.session.inWindow(
      this.handle,
      async () => await this.session.run<Result>(source, ...args),
    );
  }
  /** Makes the window so large that the page is, around which it has bars. */
  async setViewportSize({ width, height }: { readonly width: number; readonly height: number }) {
    const difference = '(width, height) => [width - innerWidth, height - innerHeight]';
    await this.session.inWindow(this.handle, async () => {
      const end = Date.now() + sizeTimeout;
      for (;;) {
        const [wider = 0, higher = 0] = await this.session.run<readonly number[]>(difference, width, height);
        if (wider === 0 && higher === 0) return;
        if (Date.now() > end) cannot(`window of ${String(width)} × ${String(height)}`);
        const { width: outer, height: outerHeight } = await this.session.command<{
          readonly width: number;
          readonly height: number;
        }>('GET', '/window/rect');
        await this.session.command('POST', '/window/rect', {
          width: outer + wider,
          height: outerHeight + higher,
        });
        await pause(betweenLooks);
      }
    });
  }
  exposeFunction(name: string, hear: (...args: readonly unknown[]) => void) {
    this.owner.exposeBinding(name, (_source, ...args) => {
      hear(...args);
    });
  }
  route(matches: RouteMatcher, handler: RouteHandler) {
    this.owner.route(matches, handler);
  }

  isClosed() {
    return this.closed;
  }
  async close() {
    await this.session.inWindow(this.handle, async () => await this.session.command('DELETE', '/window'));
    this.hasClosed();
  }
  /** The window is closed, by the page or by the user. */
  hasClosed() {
    if (this.closed) return;
    this.closed = true;
    this.events.emit('close', this);
  }

  private async change(path: string, body?: unknown) {
    await this.session
      .inWindow(this.handle, async () => {
        await this.session.changePage(path, body);
      })
      .catch((error: unknown) => {
        if (error instanceof DriverError && error.code === 'no such window') this.hasClosed();
        throw error;
      });
  }
  private async command(path: string, body?: unknown) {
    await this.session.inWindow(this.handle, async () => await this.session.command('POST', path, body));
  }
}
