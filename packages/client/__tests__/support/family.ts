import { unsignedJwt } from './tokens';

let issued = 0;

/** Both tokens of a session, issued now for 15 minutes; every pair is another one. */
export function pair(facts: { readonly iat?: number; readonly [claim: string]: unknown } = {}) {
  issued += 1;
  const iat = facts.iat ?? Math.floor(Date.now() / 1000);
  const claims = {
    uid: 'u_1',
    firstName: 'Ada',
    personas: { ledger: [{}] },
    jti: issued,
    ...facts,
    iat,
    exp: iat + 900,
  };
  return { token: unsignedJwt(claims), refresh: `refresh-${String(issued)}` };
}

/** The value of the session cookie. */
export const sessionCookie = ({ token, refresh }: ReturnType<typeof pair>): string =>
  JSON.stringify({ authenticated: { token, refresh } });

/** Web Locks that all tabs of a test share: jsdom has none. */
export function createFakeLocks() {
  const held = new Set<string>();
  return {
    request: async (name: string, _options: object, granted: (lock: object | null) => Promise<unknown>) => {
      if (held.has(name)) return await granted(null);
      held.add(name);
      try {
        return await granted({ name });
      } finally {
        held.delete(name);
      }
    },
  };
}
