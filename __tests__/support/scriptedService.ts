import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came over the wire. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, still encoded. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What the service does with the next request. */
export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

/** A real HTTP server on a free port that treats each request as the test sets. */
export type ScriptedService = Awaited<ReturnType<typeof startScriptedService>>;

/** Answers with JSON. */
export function answering(
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  return sending(JSON.stringify(body), status, { 'content-type': 'application/json', ...headers });
}

/** Answers with any text. */
export function sending(
  text: string,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  return (response) => {
    response.writeHead(status, headers).end(text);
  };
}

export async function startScriptedService() {
  const received: ReceivedRequest[] = [];
  let behaviour: Behaviour = sending('the test did not say what to answer', 501);
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, url, headers, body });
      behaviour(response, request);
    });
  });
  // A server that drops idle connections would race with the next request of a slow test.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    received: received as readonly ReceivedRequest[],
    behave: (next: Behaviour) => {
      behaviour = next;
    },
    /** Clears what was received. */
    forget: () => {
      received.length = 0;
    },
    /** Stops and drops open connections. */
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
