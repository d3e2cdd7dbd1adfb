import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { reads } from './reads';

/** A request of any page, with the words of Playwright's that can be told from outside of the browser. */
export interface SeenRequest {
  readonly url: () => string;
  readonly method: () => string;
}

const scriptPath = '/assets/before-the-page.js';

/**
 * Stands between a browser and the world, because WebDriver tells nothing of requests and runs nothing before a page's own
 * scripts: it reports every request, and puts a script of the page's own host, which the policies of all pages allow, first into each page.
 */
export class RecordingProxy {
  readonly listeners: ((request: SeenRequest) => void)[] = [];
  readonly scripts: string[] = [];
  private readonly server = http.createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  private constructor(private readonly worldPort: number) {}

  static async open(worldPort: number): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(worldPort);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** `host:port`, as the capability of a session has it. */
  get host(): string {
    return `127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '' } = request;
    const { pathname, search } = new URL(url);
    if (pathname === scriptPath) {
      response.setHeader('content-type', 'text/javascript').end(this.scripts.join('\n'));
      return;
    }
    const seen = reads({ url: () => url, method: () => method }, 'request');
    for (const listener of this.listeners) listener(seen);
    const isPage =
      this.scripts.length > 0 && /document|frame/.test(String(request.headers['sec-fetch-dest']));
    const headers = { ...request.headers, connection: 'close' };
    if (isPage) {
      delete headers['accept-encoding'];
      delete headers['if-none-match'];
    }
    const outgoing = http.request({
      host: '127.0.0.1',
      port: this.worldPort,
      method,
      path: pathname + search,
      headers,
    });
    request.pipe(outgoing);
    response.once('close', () => outgoing.destroy());
    const [answered] = (await once(outgoing, 'response')) as [IncomingMessage];
    const isHtml = answered.headers['content-type']?.startsWith('text/html') === true;
    if (!isPage || !isHtml) {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      await pipeline(answered, response);
      return;
    }
    const html = Buffer.concat(await answered.toArray()).toString();
    const { 'content-length': _length, 'transfer-encoding': _coding, ...kept } = answered.headers;
    response.writeHead(answered.statusCode ?? 502, kept);
    response.end(html.replace(/<head[^>]*>/, (head) => `${head}<script src="${scriptPath}"></script>`));
  }
}
