import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { reads } from './reads';

/** A request of any page, with the words of Playwright's that can be told from outside of the browser. */
export interface SeenRequest {
  readonly url: () => string;
  readonly method: () => string;
  readonly resourceType: () => 'document' | 'other';
}

/** Playwright's: `**` in a text matches anything. */
export type RouteMatcher = string | RegExp | ((url: URL) => boolean);

interface RouteAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Route {
  readonly request: () => SeenRequest;
  readonly continue: () => void;
  readonly fulfill: (answer: RouteAnswer) => void;
}

/** What a test does with a request before it reaches the environment. */
export type RouteHandler = (route: Route) => unknown;

function matches(matcher: RouteMatcher, url: string): boolean {
  if (typeof matcher === 'function') return matcher(new URL(url));
  if (matcher instanceof RegExp) return matcher.test(url);
  const parts = matcher.split('**').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(url);
}

const scriptPath = '/assets/before-the-page.js';
const toldPath = '/assets/told/';

/**
 * Stands between a browser and the environment, because WebDriver tells nothing of requests and runs nothing before a page's own
 * scripts: it reports every request, and puts a script of the page's own host, which the policies of all pages allow, first into each page.
 */
export class RecordingProxy {
  readonly listeners: ((request: SeenRequest) => void)[] = [];
  /** Each function returns a script for the start of every page, which may be empty. */
  readonly scripts: (() => string)[] = [];
  /** What pages call by name, as `tell` makes it. */
  private readonly told = new Map<string, (...args: readonly unknown[]) => void>();
  private readonly routes: (readonly [RouteMatcher, RouteHandler])[] = [];
  private readonly server = http.createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });

  private constructor(private readonly environmentPort: number) {}

  static async open(environmentPort: number): Promise<RecordingProxy> {
    const proxy = new RecordingProxy(environmentPort);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  /** `host:port`, as the capability of a session has it. */
  get host(): string {
    return `127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  route(matcher: RouteMatcher, handler: RouteHandler): void {
    this.routes.unshift([matcher, handler]);
  }

  /** Gives every page a function of that name, which calls this one. */
  tell(name: string, hear: (...args: readonly unknown[]) => void): void {
    this.told.set(toldPath + name, hear);
    this.scripts.push(
      () =>
        `window[${JSON.stringify(name)}] = (...args) => {
          navigator.sendBeacon(${JSON.stringify(toldPath + name)}, JSON.stringify(args));
        };`,
    );
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '' } = request;
    const { pathname, search, port } = new URL(url);
    const script = this.scripts.map((source) => source()).join('\n');
    if (pathname === scriptPath) {
      response
        .setHeader('content-type', 'text/javascript')
        .setHeader('cache-control', 'no-store')
        .end(script);
      return;
    }
    const hear = this.told.get(pathname);
    if (hear) {
      const body = Buffer.concat(await request.toArray()).toString();
      response.writeHead(204).end();
      hear(...(JSON.parse(body) as unknown[]));
      return;
    }
    const isDocument = /document|frame/.test(String(request.headers['sec-fetch-dest']));
    const seen: SeenRequest = reads(
      { url: () => url, method: () => method, resourceType: () => (isDocument ? 'document' : 'other') },
      'request',
    );
    for (const listener of this.listeners) listener(seen);
    const isPage = isDocument && script.trim() !== '';
    const [, handler] = this.routes.find(([matcher]) => matches(matcher, url)) ?? [];
    const made = handler && (await answerOf(handler, seen));
    if (made) {
      response.writeHead(made.status ?? 200, made.headers);
      response.end(isPage ? withScript(made.body ?? '') : made.body);
      return;
    }
    const headers = { ...request.headers, connection: 'close' };
    if (isPage) {
      delete headers['accept-encoding'];
      delete headers['if-none-match'];
    }
    const outgoing = http.request({
      host: '127.0.0.1',
      // A test may have a host of its own besides the environment's.
      port: port === '' ? this.environmentPort : port,
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
    response.end(withScript(html));
  }
}

const withScript = (html: string): string =>
  html.replace(/<head[^>]*>/, (head) => `${head}<script src="${scriptPath}"></script>`);

/** What a test answers instead of the environment; `undefined` when the request goes on. */
async function answerOf(handler: RouteHandler, seen: SeenRequest): Promise<RouteAnswer | undefined> {
  return await new Promise((resolve, reject) => {
    const route: Route = {
      request: () => seen,
      continue: () => {
        resolve(undefined);
      },
      fulfill: resolve,
    };
    Promise.resolve(handler(reads(route, 'route'))).catch(reject);
  });
}
