import { setTimeout as pause } from 'node:timers/promises';
import type { DrivenContext } from './drivenContext';
import { DrivenLocator, FrameRoot, Root } from './drivenLocator';
import type { Step } from './findInPage';
import { keysOf, pressed, typed } from './keys';
import { cannot, reads } from './reads';
import { DriverError, type WebDriverSession } from './webDriver';

/** How long an awaited event may take, ms. */
const eventTimeout = 20_000;

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
      await pause(50);
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
    },
    'keyboard',
  );

  protected step(step: Step) {
    return reads(new DrivenLocator(this, [], [step]), 'locator');
  }
  frameLocator(selector: string) {
    return reads(new FrameRoot(this, [selector]), 'frameLocator');
  }
  context() {
    return this.owner;
  }
  on(event: string, listener: (page: DrivenPage) => void) {
    this.events.on(event, listener);
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
    await this.command('/url', { url: new URL(path, this.owner.baseURL).href });
  }
  async reload() {
    await this.command('/refresh');
  }
  async goBack() {
    await this.command('/back');
  }
  async goForward() {
    await this.command('/forward');
  }
  async bringToFront() {
    await this.session.inWindow(this.handle, () => Promise.resolve());
  }
  async title() {
    return await this.read<string>('/title');
  }
  /** The address at this moment, or an empty one when the window is closed. */
  async address() {
    return await this.read<string>('/url').catch((error: unknown) => {
      if (error instanceof DriverError && error.code === 'no such window') return '';
      throw error;
    });
  }
  async evaluate<Result, Argument>(
    read: string | ((argument: Argument) => Result),
    argument?: Argument,
  ): Promise<Result> {
    const source = typeof read === 'string' ? `() => (${read})` : read.toString();
    return await this.session.inWindow(
      this.handle,
      async () => await this.session.run<Result>(source, argument ?? null),
    );
  }

  isClosed() {
    return this.closed;
  }
  async close() {
    await this.session.inWindow(this.handle, async () => await this.session.command('DELETE', '/window'));
    this.hasClosed();
  }
  /** The window is gone, whoever closed it. */
  hasClosed() {
    if (this.closed) return;
    this.closed = true;
    this.events.emit('close', this);
  }

  private async command(path: string, body?: unknown) {
    await this.session.inWindow(this.handle, async () => await this.session.command('POST', path, body));
  }
  private async read<Value>(path: string) {
    return await this.session.inWindow(
      this.handle,
      async () => await this.session.command<Value>('GET', path),
    );
  }
}
