import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import type { PasswordHashOptions } from '../settings/options.ts';
import { matchesHash } from './foreignHashes.ts';

/** Hashes and checks passwords with argon2id. */
export interface Passwords {
  /** @returns the hash of the composed form, as a PHC string. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Compares the forms of the password with `stored`. For `null` (unknown user, user without a password) the result is
   * `null` after the same work, so that the response time does not reveal which users exist.
   *
   * @param standIn the hash to verify instead of `null`; by default one that the service made.
   * @returns `null` if no form matches.
   */
  readonly matches: (
    stored: string | null,
    password: string,
    standIn?: string | null,
  ) => Promise<PasswordMatch | null>;
  /**
   * Runs work that hashes, and waits in the queue before the work instead of before each hash. So the work counts an
   * attempt, for example, only if its hash is computed.
   */
  readonly inTurn: <Result>(work: (passwords: Passwords) => Promise<Result>) => Promise<Result>;
}

/** A password that matches its hash. */
export interface PasswordMatch {
  /** Whether the hash is imported, has another cost, or is not of the composed form. A sign-in replaces such a hash. */
  readonly isOutdated: boolean;
}

/** The form of Unicode (NFC) in which passwords are hashed: some systems type 'ü' as one character, others as two. */
export const composed = (password: string): string => password.normalize('NFC');

/** The forms to compare: first the composed form, then the password as typed, which other systems and earlier releases have hashed. */
export const formsOf = (password: string): ReadonlySet<string> => new Set([composed(password), password]);

/** @param cost see `PasswordHashOptions`. One thread for each hash; argon2id is the library's default. */
export function createPasswords(
  cost: Pick<PasswordHashOptions, 'memoryKib' | 'passes' | 'atOnce'>,
): Passwords {
  const inPlace = createPlaces(cost.atOnce);
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 };
  const kind = `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=1`;
  // No password is known for it, and verifying it takes as long as verifying any other hash.
  const decoy = [kind, ...[16, 32].map((bytes) => unpadded(randomBytes(bytes)))].join('$');
  const passwords: Passwords = {
    hash: (password) => inPlace(() => hash(composed(password), options)),
    matches: async (stored, password, standIn) => {
      for (const form of formsOf(password)) {
        const same = await inPlace(() => matchesHash(stored ?? standIn ?? decoy, form));
        // A match with the stand-in must not end the loop: the saved time would reveal that the user is unknown.
        if (same && stored !== null)
          return { isOutdated: !stored.startsWith(`${kind}$`) || form !== composed(password) };
      }
      return null;
    },
    inTurn: (work) => work(passwords),
  };
  return passwords;
}

/** Base64 without padding, as in a PHC string. */
const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Limits the number of parallel runs; the others wait in the order of arrival. */
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
 * Passwords whose hashes wait in a queue.
 *
 * @param inTurn queues work, see `HashQueue`. Work inside it does not queue again.
 * @param caller if it hung up while a new password was hashed, the hash is not returned: a proxy may have sent the call to another process,
 * which would then find its link used.
 */
export function queuedPasswords(
  passwords: Passwords,
  inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>,
  caller: { readonly gone: AbortSignal },
): Passwords {
  return {
    hash: async (password) => {
      const hashed = await inTurn(() => passwords.hash(password));
      caller.gone.throwIfAborted();
      return hashed;
    },
    matches: (stored, password, standIn) => inTurn(() => passwords.matches(stored, password, standIn)),
    inTurn: (work) => inTurn(() => work(passwords)),
  };
}
