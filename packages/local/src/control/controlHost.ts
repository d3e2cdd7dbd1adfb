import * as v from 'valibot';
import { LinkNotGiven } from '@vestibule/service';
import { NotSignedIn } from './signIn.ts';
import { sendJson, readBody, type HostHandler } from '../http/send.ts';
import { requestUrl } from '../hosts.ts';
import { parsedBody } from './journal.ts';

/** What the control surface can do, in this process or over HTTP. */
export interface Controls {
  readonly 'GET /journal': () => unknown;
  readonly 'DELETE /journal': () => unknown;
  readonly 'POST /faults': (rule: unknown) => unknown;
  readonly 'DELETE /faults': () => unknown;
  readonly 'GET /providers': () => unknown;
  readonly 'POST /providers': (change: unknown) => unknown;
  readonly 'GET /outbox': () => unknown;
  readonly 'POST /accounts': (account: unknown) => unknown;
  /** `{ username }`, of a known account. */
  readonly 'POST /sign-ins': (request: unknown) => unknown;
  /** `{ advance }`, in milliseconds. */
  readonly 'POST /clock': (change: unknown) => unknown;
  /** Makes a link: see `linkRequest.ts`. */
  readonly 'POST /links': (request: unknown) => unknown;
  readonly 'POST /reset': () => unknown;
}

/**
 * JSON over HTTP for programs in another process: tests, and `npm run invite`. A body must say that it is JSON: no page of another
 * origin can send that without a preflight, and this host accepts none.
 */
export function controlHost(controls: Partial<Controls>): HostHandler {
  const routes = new Map<string, (body: unknown) => unknown>(Object.entries(controls));
  return async (request, response) => {
    const route = routes.get(`${request.method ?? 'GET'} ${requestUrl(request).pathname}`);
    if (route === undefined) {
      sendJson(response, 404, { error: { message: `One of: ${[...routes.keys()].join(', ')}` } });
      return;
    }
    const body = parsedBody(await readBody(request));
    if (body !== null && request.headers['content-type'] !== 'application/json') {
      sendJson(response, 415, { error: { message: 'Content-Type: application/json' } });
      return;
    }
    try {
      sendJson(response, 200, (await route(body)) ?? {});
    } catch (error) {
      const status =
        error instanceof v.ValiError
          ? 400
          : error instanceof LinkNotGiven || error instanceof NotSignedIn
            ? 409
            : null;
      if (status === null || !(error instanceof Error)) throw error;
      sendJson(response, status, { error: { message: error.message } });
    }
  };
}
