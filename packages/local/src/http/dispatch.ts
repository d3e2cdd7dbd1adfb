import type { IncomingMessage, RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from '@vestibule/service';
import { BodyTooLarge, sendText, type HostHandler } from './send.ts';
import { roleOf, type HostRole } from '../hosts.ts';
import { passOnUpgrade } from './httpProxy.ts';

/** What stands behind each name; a role without a handler does not exist in this environment. */
export type Hosts = Readonly<Partial<Record<HostRole, HostHandler>>>;

/** Hands each request to the host that it names; a failing host responds with 500 and the environment goes on. */
export function dispatcher(hosts: Promise<Hosts>, logger?: Logger): RequestListener {
  return (request, response) => {
    const dispatch = async (): Promise<void> => {
      const role = roleOf(request.headers.host);
      const handler = role === null ? undefined : (await hosts)[role];
      if (handler === undefined)
        sendText(response, 421, 'Nothing of the local environment stands behind this name.');
      else await handler(request, response);
    };
    dispatch().catch((error: unknown) => {
      // The browser went away in the middle of a response: a reload, a closed tab.
      if (response.destroyed) return;
      if (error instanceof BodyTooLarge && !response.headersSent) {
        sendText(response, 413, error.message);
        return;
      }
      logger?.error('local/requestFailed', {
        message: error instanceof Error ? error.message : String(error),
      });
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'The local environment failed to answer; see its console.');
    });
  };
}

/** Passes the hot-reload socket of the application's hosts to the development server; there are no others. */
export function upgradeDispatcher(
  developmentPort: () => number | null,
): (request: IncomingMessage, socket: Duplex, head: Buffer) => void {
  return (request, socket, head) => {
    const role = roleOf(request.headers.host);
    const port = role === 'app' || role === 'suppliers' || role === 'shortLinks' ? developmentPort() : null;
    if (port === null) socket.destroy();
    else passOnUpgrade(port, request, socket, head);
  };
}
