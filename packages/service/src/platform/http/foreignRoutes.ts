import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { CallContext } from '../serviceContext.ts';
import type { Logger } from '../settings/options.ts';
import { callOf, failureFrom } from './failures.ts';
import type { Caller } from './operations.ts';

/** A route outside the contract, of a protocol whose requests and responses a capability reads and writes itself. */
export interface ForeignRoute {
  readonly methods: readonly ('GET' | 'POST' | 'OPTIONS')[];
  /** In the form of Fastify; the log shows it. */
  readonly path: string;
  /** For the metrics. */
  readonly name: string;
  /** Sends the response. The body of the request has not been read. */
  readonly handle: (
    context: CallContext,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
}

interface Parts {
  readonly contextOf: (caller: Caller) => CallContext;
  readonly routes: readonly ForeignRoute[];
  readonly logger: Logger;
}

/** Registers the routes, with the limits, the security headers, the access log and the metrics of all calls, but without CORS. */
export async function registerForeignRoutes(
  app: FastifyInstance,
  { contextOf, routes, logger }: Parts,
): Promise<void> {
  if (routes.length === 0) return;
  await app.register((scope, _options, registered) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, parsed) => {
      parsed(null);
    });
    for (const { methods, path, name, handle } of routes)
      scope.route({
        method: [...methods],
        url: path,
        exposeHeadRoute: false,
        config: { operationId: name, cors: false },
        handler: async (request, reply) => {
          const { raw } = reply;
          for (const [header, value] of Object.entries(reply.getHeaders()))
            if (value !== undefined) raw.setHeader(header, value);
          reply.hijack();
          try {
            await handle(contextOf(request.caller), request.raw, raw);
          } catch (error) {
            const { status, code } = failureFrom(error, logger, callOf(request));
            if (!raw.headersSent)
              raw
                .writeHead(status, { 'Content-Type': 'application/json' })
                .write(JSON.stringify({ error: code }));
            raw.end();
          }
        },
      });
    registered();
  });
}
