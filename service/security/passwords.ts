import { hash, verify } from '@node-rs/argon2';
import type { PasswordHashOptions } from '../options';
import { newOpaqueToken } from './opaqueTokens';

/** Hashes and checks passwords with argon2id. */
export interface Passwords {
  /** PHC string. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Whether the password is the one behind `stored`. `null` (unknown user, user without a password) is false after the
   * same work, so that the time of an answer does not tell who exists.
   */
  readonly matches: (stored: string | null, password: string) => Promise<boolean>;
}

/** @param cost see `PasswordHashOptions`. One lane; argon2id is the library's default. */
export async function createPasswords(cost: PasswordHashOptions): Promise<Passwords> {
  const options = { memoryCost: cost.memoryKib, timeCost: cost.passes, parallelism: 1 };
  const decoy = await hash(newOpaqueToken(), options);
  return {
    hash: (password) => hash(password, options),
    matches: async (stored, password) => {
      const same = await verify(stored ?? decoy, password);
      return stored !== null && same;
    },
  };
}
