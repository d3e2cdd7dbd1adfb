import type { FastifyRequest } from 'fastify';
import { LruMap } from 'toad-cache';
import { createNetworkTest } from '../addresses.ts';

/** Counts by subject in this process, for a minute. */
export interface Limiter {
  /**
   * Counts one more.
   *
   * @returns whole seconds until the minute ends if the limit is exceeded, otherwise `null`.
   */
  readonly count: (subject: string) => number | null;
  /** As `count`, without counting. */
  readonly look: (subject: string) => number | null;
  /** Counts one more unless the limit is reached. @returns as `count`. */
  readonly begin: (subject: string) => number | null;
  /** Gives one back. It may have begun in the minute before, or in another process. */
  readonly finish: (subject: string) => void;
}

const windowMilliseconds = 60_000;
/** The least recent counts beyond this number are dropped. It exceeds the networks of an attacker, who could otherwise evade the limit. */
const maxSubjects = 65_536;

/** In whole ms, of a clock that nobody sets: a wrong clock that is set right would leave counts that do not end. */
const now = (): number => Math.floor(performance.now());

/** @param most in a minute */
function createLimiter(most: number): Limiter {
  const counts = new LruMap<{ count: number; readonly endsAt: number }>(maxSubjects);
  const secondsLeft = (endsAt: number) => Math.max(1, Math.ceil((endsAt - now()) / 1000));
  const present = (subject: string) => {
    const known = counts.get(subject);
    return known !== undefined && known.endsAt > now() ? known : undefined;
  };
  const begun = (subject: string) => {
    const added = { count: 0, endsAt: now() + windowMilliseconds };
    counts.set(subject, added);
    return added;
  };
  const add = (subject: string, limit: number): number | null => {
    const known = present(subject) ?? begun(subject);
    if (known.count >= limit) return secondsLeft(known.endsAt);
    known.count += 1;
    return known.count > most ? secondsLeft(known.endsAt) : null;
  };
  return {
    count: (subject) => add(subject, Infinity),
    look: (subject) => {
      const known = present(subject);
      return known === undefined || known.count <= most ? null : secondsLeft(known.endsAt);
    },
    begin: (subject) => add(subject, most),
    finish: (subject) => {
      const known = present(subject);
      if (known !== undefined && known.count > 0) known.count -= 1;
    },
  };
}

/** The limits of a deployment, by their names. */
export interface Limits<Name extends string> {
  readonly limiter: (limit: Name) => Limiter;
  /** Whether the limits by network do not apply to a caller. */
  readonly isUnlimited: (request: Pick<FastifyRequest, 'ip'>) => boolean;
}

export function limitsOf<Name extends string>(
  options: (Readonly<Record<Name, number>> & { readonly unlimitedNetworks: readonly string[] }) | 'off',
): Limits<Name> {
  if (options === 'off') return { limiter: () => createLimiter(Infinity), isUnlimited: () => true };
  const { unlimitedNetworks } = options;
  const isNamed = createNetworkTest(unlimitedNetworks);
  return {
    limiter: (limit) => createLimiter(options[limit]),
    isUnlimited: unlimitedNetworks.length === 0 ? () => false : ({ ip }) => isNamed(ip),
  };
}
