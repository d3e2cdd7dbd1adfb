import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { Registry } from 'prom-client';
import { naming } from '../namedError.ts';

/**
 * Serves `GET /metrics` on a separate port, which is not public.
 *
 * @throws NamedError if it cannot listen there.
 */
export function serveMetrics(
  registry: Registry,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<Server> {
  const listener: RequestListener = (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, listener);
  return naming('METRICS_PORT', async () => {
    server.listen(port, host);
    await once(server, 'listening');
    // This server alone does not keep the process alive.
    return server.unref();
  });
}
