import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import http from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { send, readBody, type HostHandler } from '../http/send.ts';
import { requestFrom } from '../http/httpProxy.ts';
import { listen } from '../http/listen.ts';
import type { Fault, Faults } from './faults.ts';
import { parsedBody, type Journal } from './journal.ts';

/** The service behind its journal and its faults. */
interface WatchedService {
  readonly handle: HostHandler;
  /** Port of the service itself. */
  readonly servicePort: number;
  readonly close: () => Promise<void>;
}

/**
 * Puts a journal and faults before the service. The service gets its own server on a free port, so that a
 * response can be withheld, delayed or lost as by a network, without access to the service's objects.
 *
 * @param allowedOrigins Origins whose pages may read the responses that a fault makes up, as they may the service's.
 */
export async function watchService(
  service: RequestListener,
  {
    journal,
    faults,
    allowedOrigins,
  }: { journal: Journal; faults: Faults; allowedOrigins: readonly string[] },
): Promise<WatchedService> {
  const inner = await listen(http.createServer(service), 0);
  return {
    close: inner.close,
    servicePort: inner.port,
    handle: async (request, response) => {
      const { method = 'GET', url: path = '/', headers } = request;
      const body = await readBody(request);
      const call = { method, path, body: parsedBody(body) };
      // A preflight comes from the browser; the fault applies to the call that follows.
      const fault = method === 'OPTIONS' ? null : faults.take(call);
      const entry = journal.open({ ...call, headers, fault: fault?.kind ?? null });
      const made = await beforeService(fault, request, response, allowedOrigins);
      if (made !== null) {
        entry.close(made);
        return;
      }
      if (response.destroyed) return;
      const answered = await requestFrom(inner.port, { method, path, headers }, body);
      if (answered.headers['content-type'] === 'text/event-stream' && fault?.kind !== 'lost') {
        entry.close(answered.statusCode ?? 502);
        response.writeHead(answered.statusCode ?? 502, answered.headers).flushHeaders();
        // If one side ends, so does the other.
        await pipeline(answered, response).catch(() => undefined);
        return;
      }
      const bytes = await readBody(answered);
      const status = answered.statusCode ?? 502;
      entry.close(status);
      if (fault?.kind === 'lost') {
        response.destroy();
        return;
      }
      response.writeHead(status, answered.headers);
      response.end(bytes);
    },
  };
}

/** Applies a fault before the service. Returns the status if the fault responded instead of the service. */
async function beforeService(
  fault: Fault | null,
  request: IncomingMessage,
  response: ServerResponse,
  allowedOrigins: readonly string[],
): Promise<number | null> {
  const { origin } = request.headers;
  const cors =
    origin !== undefined && allowedOrigins.includes(origin)
      ? {
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Expose-Headers': 'Retry-After',
          Vary: 'Origin',
        }
      : {};
  switch (fault?.kind) {
    case 'delay':
      await wait(fault.ms);
      return null;
    case 'down':
      response.destroy();
      return null;
    case 'html':
      send(
        response,
        200,
        { ...cors, 'Content-Type': 'text/html; charset=utf-8' },
        '<!doctype html><h1>Gateway</h1>',
      );
      return 200;
    case 'answer': {
      const text = typeof fault.body === 'string' ? fault.body : JSON.stringify(fault.body);
      send(response, fault.status, { ...cors, 'Content-Type': 'application/json', ...fault.headers }, text);
      return fault.status;
    }
    default:
      return null;
  }
}
