import type { FastifyInstance } from 'fastify';
import { callerGone } from '../errors';
import type { Logger } from '../options';
import { networkOf } from './network';
import type { Caller } from './operations';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller;
  }
}

/** Gives each request its caller, and notices and logs when a caller hangs up before the answer was sent. */
export function followCallers(app: FastifyInstance, logger: Logger): void {
  app.addHook('onRequest', async (request, reply) => {
    const hangUp = new AbortController();
    request.caller = { network: networkOf(request.ip), gone: hangUp.signal };
    reply.raw.once('close', () => {
      if (reply.raw.writableFinished) return;
      hangUp.abort(callerGone);
      logger.info('call aborted', {
        call: `${request.method} ${request.routeOptions.url ?? 'unknown'}`,
        milliseconds: Math.round(reply.elapsedTime),
      });
    });
  });
}
