import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** What a limiter counts. */
    readonly counted?: string;
  }
}

/**
 * Counts calls in this process, for a minute.
 *
 * @param options `increment: false` looks without counting.
 * @returns whole seconds until the minute ends if the limit is exceeded, otherwise `null`.
 */
export type Limiter = (
  request: FastifyRequest,
  counted: string,
  options?: { readonly increment: false },
) => Promise<number | null>;

/** `network`: counts `counted` for each network that is not unlimited; `counted`: for all networks together. */
type Scope = 'network' | 'counted';

/** @param most `null` for no limit. */
export function limiterOf(app: FastifyInstance, most: number | null, scope: Scope): Limiter {
  if (most === null) return () => Promise.resolve(null);
  const count = app.createRateLimit({
    max: most,
    keyGenerator: ({ caller, counted = '' }) =>
      scope === 'network' ? `${caller.network} ${counted}` : counted,
    ...(scope === 'network' ? {} : { allowList: [] }),
  });
  return async (request, counted, options) => {
    const subject = Object.create(request, { counted: { value: counted } }) as FastifyRequest;
    const result = await count(subject, options);
    return result.isAllowed || !result.isExceeded ? null : Math.max(1, result.ttlInSeconds);
  };
}
