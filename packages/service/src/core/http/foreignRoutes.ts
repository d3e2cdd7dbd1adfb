import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { CallContext, ServiceContext } from '../context.ts';
import type { RateLimits, ServiceSettings } from '../settings/options.ts';
import { callOf, failureFrom } from '../../platform/http/failures.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** The context of a route outside the contract. */
export type ForeignContext = CallContext & {
  /**
   * Counts, by the network of the caller, what only some requests of a route do. The limit is `secretChecksPerMinute`.
   *
   * @param options `increment: false` looks without counting.
   * @returns whole seconds until the minute ends if the limit is exceeded, otherwise `null`.
   */
  readonly limit: (subject: string, options?: { readonly increment: false }) => number | null;
  /**
   * Counts, by the network of the caller, a sign-in that waits for its user. The limit is `unfinishedSignInsPerMinute`.
   *
   * @returns as `limit`.
   */
  readonly begin: () => number | null;
  /** The sign-in that has begun is finished, and counts no longer. */
  readonly finish: () => void;
  /** Ends the response with a failure instead of the intended content. */
  readonly fail: (error: unknown) => void;
};

/** A route outside the contract, of a protocol whose requests and responses a capability reads and writes itself. */
export interface ForeignRoute<Context = ServiceContext> {
  readonly methods: readonly ('GET' | 'HEAD' | 'POST' | 'OPTIONS')[];
  /** In the form of Fastify; the log shows it. */
  readonly path: string;
  /** For the metrics. */
  readonly name: string;
  /** Sends the response. The body of the request has not been read. */
  readonly handle: (
    context: Context & ForeignContext,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
}

interface Parts {
  readonly contextOf: (caller: Caller) => CallContext;
  readonly routes: readonly ForeignRoute[];
  readonly settings: Pick<ServiceSettings, 'logger'>;
}

/** Registers the routes, with the limits, the security headers, the access log and the metrics of all calls, but without CORS. */
export async function registerForeignRoutes(
  app: FastifyInstance,
  { contextOf, routes, settings }: Parts,
  limits: RateLimits,
): Promise<void> {
  if (routes.length === 0) return;
  await app.register((scope, _options, registered) => {
    const secrets = limits.limiter('secretChecksPerMinute');
    const unfinished = limits.limiter('unfinishedSignInsPerMinute');
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
          const setHeaders = (): void => {
            for (const [header, value] of Object.entries(reply.getHeaders()))
              if (value !== undefined) raw.setHeader(header, value);
          };
          setHeaders();
          reply.hijack();
          const fail = (error: unknown): void => {
            const failure = failureFrom(error, settings.logger, callOf(request));
            const { status, code, retryAfterSeconds: wait } = failure;
            if (!raw.headersSent) {
              for (const header of raw.getHeaderNames()) raw.removeHeader(header);
              setHeaders();
              raw
                .writeHead(status, {
                  'Content-Type': 'application/json',
                  'Cache-Control': 'no-store',
                  ...(wait === undefined ? {} : { 'Retry-After': wait }),
                })
                .write(JSON.stringify({ error: code }));
            }
            raw.end();
          };
          try {
            const { network } = request.caller;
            const isUnlimited = limits.isUnlimited(request);
            const own: ForeignContext = {
              ...contextOf(request.caller),
              limit: (subject, options) =>
                isUnlimited
                  ? null
                  : secrets[options === undefined ? 'count' : 'look'](`${network} ${subject}`),
              begin: () => (isUnlimited ? null : unfinished.begin(network)),
              finish: () => {
                unfinished.finish(network);
              },
              fail,
            };
            await handle(own, request.raw, raw);
          } catch (error) {
            fail(error);
          }
        },
      });
    registered();
  });
}
