import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createInterface, type Interface } from 'node:readline';

/** An answer of WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/), of which these parts are read. */
interface Answer {
  readonly type: 'success' | 'error';
  readonly message?: string;
  readonly result?: {
    readonly contexts?: readonly { readonly context: string }[];
    readonly result?: { readonly value?: string };
    readonly exceptionDetails?: { readonly text: string };
  };
}

/** Firefox's own window, in which scripts may do what its user can, over the socket of `startFirefox.mjs`. */
export class BrowserScope {
  private readonly answers: Interface;
  private window = '';

  private constructor(private readonly socket: Socket) {
    this.answers = createInterface(socket);
  }

  static async open(path: string): Promise<BrowserScope> {
    const socket = connect(path);
    await once(socket, 'connect');
    const scope = new BrowserScope(socket);
    const tree = await scope.send('browsingContext.getTree', { 'moz:scope': 'chrome' });
    scope.window = tree?.contexts?.[0]?.context ?? '';
    return scope;
  }

  /**
   * Runs a function there, one at a time.
   *
   * @returns the text that it returns or promises; empty if that is something else.
   * @throws Error with what it threw.
   */
  async run(source: string, ...args: readonly string[]): Promise<string> {
    const answer = await this.send('script.callFunction', {
      functionDeclaration: source,
      arguments: args.map((value) => ({ type: 'string', value })),
      target: { context: this.window },
      awaitPromise: true,
    });
    if (answer?.exceptionDetails) throw new Error(answer.exceptionDetails.text);
    return answer?.result?.value ?? '';
  }

  close(): void {
    this.socket.destroy();
  }

  private async send(method: string, params: object): Promise<Answer['result']> {
    const line = once(this.answers, 'line');
    this.socket.write(`${JSON.stringify({ method, params })}\n`);
    const [text] = (await line) as [string];
    const { type, message, result } = JSON.parse(text) as Answer;
    if (type === 'error') throw new Error(`${method}: ${String(message)}`);
    return result;
  }
}
