import { setTimeout as pause } from 'node:timers/promises';

/**
 * W3C WebDriver over HTTP, of which WebKitGTK's driver speaks the classic part (https://www.w3.org/TR/webdriver2/). The
 * well-kept clients need a newer Node than this project does.
 */

/** An element, as the protocol sends it: this key and an id. */
export type ElementRef = Readonly<Record<'element-6066-11e4-a52e-4f735466cecf', string>>;

/** What the driver answers instead of a value; `code` is the protocol's, as `no such window`. */
export class DriverError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`);
  }
}

/** How long a command may take, and a page to load, ms. */
const commandTimeout = 45_000;
/** How long a browser may take to start, ms. */
const startTimeout = 20_000;
const loadTimeout = 30_000;
const betweenLooks = 50;

/** A page that has not answered after this time is asked again, ms. */
const answerTimeout = 1000;

type Method = 'GET' | 'POST' | 'DELETE';

async function ask(
  address: string,
  method: Method,
  body?: unknown,
  timeout = commandTimeout,
): Promise<unknown> {
  const answer = await fetch(address, {
    method,
    // A browser that hangs answers nothing.
    signal: AbortSignal.timeout(timeout),
    ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
  });
  const { value } = (await answer.json()) as { value: unknown };
  if (answer.ok) return value;
  const { error, message } = value as { error: string; message: string };
  throw new DriverError(error, message);
}

/** One browser. Its commands apply to one window and frame at a time, so tasks wait for each other. */
export class WebDriverSession {
  private last: Promise<unknown> = Promise.resolve();
  private window = '';
  private changes = 0;

  private constructor(private readonly address: string) {}

  /** @throws when the driver has no browser after `startTimeout`. */
  static async open(driver: string, capabilities: object): Promise<WebDriverSession> {
    const body = { capabilities: { alwaysMatch: capabilities } };
    const value = await ask(`${driver}/session`, 'POST', body, startTimeout);
    const { sessionId } = value as { sessionId: string };
    return new WebDriverSession(`${driver}/session/${sessionId}`);
  }

  /** A command of the current window and frame; only within a task. */
  async command<Value>(method: Method, path: string, body?: unknown): Promise<Value> {
    return (await ask(this.address + path, method, body)) as Value;
  }

  /** Runs a task when the one before it has ended. */
  async alone<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = this.last.then(task);
    this.last = turn.catch(() => undefined);
    return await turn;
  }

  /** Runs a task in the top frame of a window. */
  async inWindow<Result>(window: string, task: () => Promise<Result>): Promise<Result> {
    return await this.alone(async () => {
      if (this.window !== window) await this.command('POST', '/window', { handle: window });
      this.window = window;
      await this.command('POST', '/frame', { id: null });
      return await task();
    });
  }

  /**
   * Runs a function in the current frame, with arguments that JSON can hold; a promise is awaited.
   *
   * @throws Error with the message of what the function threw.
   */
  async run<Result>(source: string, ...args: readonly unknown[]): Promise<Result> {
    const script = `const done = arguments[arguments.length - 1];
      Promise.resolve().then(() => (${source})(...[...arguments].slice(0, -1)))
        .then((value) => done({ value }), (error) => done({ thrown: String(error) }));`;
    const answer = await this.command<{ value: Result; thrown?: string }>('POST', '/execute/async', {
      script,
      args,
    });
    if (answer.thrown !== undefined) throw new Error(answer.thrown);
    return answer.value;
  }

  /**
   * Loads a page, goes back or forward, in the current window, and waits until another document is there and loaded, or the same one is
   * at another step of its history.
   *
   * @throws DriverError `no such window` where the page has closed its window meanwhile.
   */
  async changePage(path: string, body?: unknown): Promise<void> {
    this.changes += 1;
    const mark = String(this.changes);
    await this.run(
      `(mark) => {
        const { dataset } = document.documentElement;
        dataset.left = mark;
        addEventListener('popstate', () => delete dataset.left, { once: true });
      }`,
      mark,
    );
    await this.command('POST', path, body);
    // `run` is not used, because it would wait without end if the page was left just then.
    const script = `return document.readyState === 'complete' && document.documentElement.dataset.left !== '${mark}'`;
    let end: 'loaded' | DriverError | undefined;
    const look = async () => {
      try {
        if (await this.command<boolean>('POST', '/execute/sync', { script, args: [] })) end = 'loaded';
      } catch (error) {
        // Others are those of a page that is just changing.
        if (error instanceof DriverError && error.code === 'no such window') end = error;
      }
    };
    const latest = Date.now() + loadTimeout;
    for (;;) {
      // WebKit forgets a script that the first page of a window replaces just as it is asked, more often on a busy machine: the driver
      // answers it only when the session ends. So the next look does not wait for such an answer; one that is only late counts.
      await Promise.race([look(), pause(answerTimeout)]);
      if (end instanceof DriverError) throw end;
      if (end === 'loaded') return;
      if (Date.now() > latest) throw new Error(`No page came after ${path}.`);
      await pause(betweenLooks);
    }
  }

  async close(): Promise<void> {
    await this.alone(async () => await this.command('DELETE', ''));
  }
}
