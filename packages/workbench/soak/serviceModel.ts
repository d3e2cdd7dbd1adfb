import type { TokenPair } from '@shared/api/decoders';
import { tokenPair } from '../../../__tests__/support/builders';

interface Family {
  ended: boolean;
}

interface Issued {
  readonly family: Family;
  rotated: { readonly at: number; readonly successor: string } | null;
}

/** The outcome of a refresh call. */
type Exchange =
  | { readonly kind: 'rotated' | 'repeated'; readonly tokens: TokenPair }
  | { readonly kind: 'refused' | 'reused' };

/** The part of the service that matters for refreshing: rotation, reuse detection, and an optional grace period. */
export interface ServiceModel {
  readonly signIn: (now: number) => TokenPair;
  readonly refresh: (token: string, now: number) => Exchange;
}

/** @param graceMs - how long a used token is accepted again; 0: it ends the session at once */
export function createServiceModel(lifeSeconds: number, graceMs = 10_000): ServiceModel {
  const issued = new Map<string, Issued>();

  const issue = (family: Family, now: number): TokenPair => {
    const pair = tokenPair({ iat: Math.floor(now / 1000), lifeSeconds });
    issued.set(pair.refresh, { family, rotated: null });
    return pair;
  };

  return {
    signIn: (now) => issue({ ended: false }, now),
    refresh: (token, now) => {
      let leaf = token;
      for (;;) {
        const found = issued.get(leaf);
        if (!found || found.family.ended) return { kind: 'refused' };
        if (!found.rotated) {
          // A new access token each time, the same refresh token for repeated calls.
          if (leaf !== token) {
            const { token: access } = tokenPair({ iat: Math.floor(now / 1000), lifeSeconds });
            return { kind: 'repeated', tokens: { token: access, refresh: leaf } };
          }
          const tokens = issue(found.family, now);
          found.rotated = { at: now, successor: tokens.refresh };
          return { kind: 'rotated', tokens };
        }
        if (graceMs === 0 || now - found.rotated.at > graceMs) {
          found.family.ended = true;
          return { kind: 'reused' };
        }
        leaf = found.rotated.successor;
      }
    },
  };
}
