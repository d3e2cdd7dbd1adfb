import { hash } from '@node-rs/argon2';
import type { PasswordHashOptions } from '../settings/options.ts';
import { matchesHash } from './foreignHashes.ts';
import { newOpaqueToken } from './opaqueTokens.ts';

/** Hashes and checks passwords with argon2id. */
export interface Passwords {
  /** PHC string. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Whether the password is the one behind `stored`. `null` (unknown user, user without a password) is false after the
   * same work, so that the time of an answer does not tell who exists.
   *
   * @param standIn the hash whose work that is; by default one of ours
   */
  readonly matches: (stored: string | null, password: string, standIn?: string | null) => Promise<boolean>;
  /** Whether a hash is of our kind and cost. Another (imported, or made when the cost was another) is replaced at a sign-in. */
  readonly isOurs: (stored: string) => boolean;
  /**
   * Does work that hashes with what it is given, and waits for its turn before the work instead of at each hash: what
   * the work counts, an attempt for example, is counted only if it comes to the hash.
   */
  readonly inTurn: <Result>(work: (passwords: Passwords) => Promise<Result>) => Promise<Result>;
}

/** @param cost see `PasswordHashOptions`. One thread for each hash; argon2id is the library's default. */
export async function createPasswords(
  cost: Pick<PasswordHashOptions, 'memoryKib' | 'passes' | 'atOnce'>,
): Promise<Passwords> {
  const inPlace = createPlaces(cost.atOnce);
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 };
  const decoy = await hash(newOpaqueToken(), options);
  // Algorithm, version and costs: what comes before salt and output.
  const kind = decoy.split('$').slice(0, 4).join('$');
  const passwords: Passwords = {
    hash: (password) => inPlace(() => hash(password, options)),
    matches: async (stored, password, standIn) => {
      const same = await inPlace(() => matchesHash(stored ?? standIn ?? decoy, password));
      return stored !== null && same;
    },
    isOurs: (stored) => stored.startsWith(`${kind}$`),
    inTurn: (work) => work(passwords),
  };
  return passwords;
}

/** Does so much at once, the rest in the order in which it comes. */
function createPlaces(count: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/**
 * @param inTurn gives work its turn, see `HashQueue`. Nothing waits for a turn inside of one.
 * @param gone a caller who hung up while a new password was hashed is not given the hash: nginx may have sent the call to another process,
 * which would find the link used that is used up here.
 */
export function queuedPasswords(
  passwords: Passwords,
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>,
  gone: AbortSignal,
): Passwords {
  return {
    hash: async (password) => {
      const hashed = await inTurn(() => passwords.hash(password));
      gone.throwIfAborted();
      return hashed;
    },
    matches: (stored, password, standIn) => inTurn(() => passwords.matches(stored, password, standIn)),
    isOurs: passwords.isOurs,
    inTurn: (work) => inTurn(() => work(passwords)),
  };
}
