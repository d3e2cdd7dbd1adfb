import { createNetworkTest } from '../addresses.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { FifoMap } from 'toad-cache';

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

/** Counts by network in this process, for a minute, what is not finished. */
export interface UnfinishedLimiter {
  /** @returns whole seconds until the minute ends if the limit is reached, otherwise `null`. */
  readonly begin: (request: Pick<FastifyRequest, 'ip' | 'caller'>) => number | null;
  /** Gives one back. */
  readonly finish: (request: Pick<FastifyRequest, 'caller'>) => void;
}

/** As for the other limits: see `registerPlugins`. */
const [windowMilliseconds, maxNetworks] = [60_000, 65_536];

/** @param unlimitedNetworks as `isNetwork` accepts them. */
export function limitUnfinished(most: number, unlimitedNetworks: readonly string[]): UnfinishedLimiter {
  const isUnlimited = createNetworkTest(unlimitedNetworks);
  const counts = new FifoMap<{ count: number; readonly endsAt: number }>(maxNetworks, windowMilliseconds);
  const begun = (network: string) => {
    const added = { count: 0, endsAt: Date.now() + windowMilliseconds };
    counts.set(network, added);
    return added;
  };
  return {
    begin: ({ ip, caller: { network } }) => {
      if (isUnlimited(ip)) return null;
      const known = counts.get(network) ?? begun(network);
      if (known.count >= most) return Math.ceil((known.endsAt - Date.now()) / 1000);
      known.count += 1;
      return null;
    },
    finish: ({ caller: { network } }) => {
      const known = counts.get(network);
      // It may have begun in the minute before, or in another process.
      if (known !== undefined && known.count > 0) known.count -= 1;
    },
  };
}
