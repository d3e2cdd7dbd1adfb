import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A part of the window, as the protocol sends it; `attributes` are names and values in turn. */
interface View {
  readonly nodeId: number;
  readonly attributes?: readonly string[];
  readonly children?: readonly View[];
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

const all = (view: View): readonly View[] => [view, ...(view.children ?? []).flatMap(all)];
const isNamed = ({ attributes = [] }: View, name: string) => attributes.includes(name);

/**
 * What Chromium draws around its pages, over its UI DevTools
 * (https://chromium.googlesource.com/chromium/src/+/main/docs/ui/ui_devtools/). The protocol of pages does not reach it.
 */
export class BrowserWindow {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private sent = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      const answer = JSON.parse(data.toString()) as Answer;
      if (answer.id !== undefined) this.waiting.get(answer.id)?.(answer);
    });
  }

  static async open(port: number): Promise<BrowserWindow> {
    const socket = new WebSocket(`ws://127.0.0.1:${String(port)}/0`);
    await once(socket, 'open');
    const window = new BrowserWindow(socket);
    await window.send('DOM.enable');
    return window;
  }

  /** Whether it shows a part of this class. */
  async shows(name: string): Promise<boolean> {
    return (await this.find(name)) !== undefined;
  }

  /**
   * Presses the last part of a class within another; that may be the same.
   *
   * @returns whether the outer one is there.
   */
  async press(within: string, name: string): Promise<boolean> {
    const outer = await this.find(within);
    const inner = outer && all(outer).findLast((view) => isNamed(view, name));
    if (!inner) return outer !== undefined;
    for (const type of ['mouseEntered', 'mouseMoved', 'mousePressed', 'mouseReleased']) {
      const button = type === 'mousePressed' || type === 'mouseReleased' ? 'left' : 'none';
      const event = { type, button, x: 12, y: 8, wheelDirection: 'none' };
      // It may have gone meanwhile.
      await this.send('DOM.dispatchMouseEvent', { nodeId: inner.nodeId, event }).catch(() => undefined);
    }
    return true;
  }

  close(): void {
    this.socket.close();
  }

  private async find(name: string): Promise<View | undefined> {
    const { root } = (await this.send('DOM.getDocument')) as { readonly root: View };
    return all(root).find((view) => isNamed(view, name));
  }

  private async send(method: string, params: object = {}): Promise<unknown> {
    this.sent += 1;
    const id = this.sent;
    const { result, error } = await new Promise<Answer>((resolve) => {
      this.waiting.set(id, resolve);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
    this.waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}
