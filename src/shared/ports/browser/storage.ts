import { cookieNames, createCookieJar, tryOrNull } from '@vestibule/client/cookies';
import type { AppConfig } from '@vestibule/contract/appConfig';
import type { TextStorage, OauthStates, Provider } from '../ports';

/**
 * Stores texts in the storage of the login origin, or in memory if the browser refuses: a blocked storage throws on each
 * access, and a full one on each write.
 *
 * @param storage - called at each use, because it may throw
 * @param prefix - keeps several deployments on one origin apart
 */
export function createTextStorage(storage: () => Storage, prefix: string): TextStorage {
  const memory = new Map<string, string>();
  return {
    read: (key) => memory.get(key) ?? tryOrNull(() => storage().getItem(prefix + key)) ?? null,
    write: (key, text) => {
      memory.delete(key);
      const kept = tryOrNull(() => {
        if (text === null) storage().removeItem(prefix + key);
        else storage().setItem(prefix + key, text);
        return true;
      });
      if (!kept && text !== null) memory.set(key, text);
      return kept === true;
    },
  };
}

const stateLifeMs = 10 * 60 * 1000;
/** The limit of stored states, because a closed tab does not remove its state. */
const mostStates = 4;
const providers: readonly Provider[] = ['google', 'microsoft'];

/** Stores each state in a host-only cookie, so that several tabs can sign in (docs/behaviour.md#stored-state). */
export function createOauthStates(browser: Window, config: AppConfig['cookies']): OauthStates {
  const overTls = browser.location.protocol === 'https:';
  // The prefix makes the browser refuse a cookie of this name that a sibling host sets for the parent domain.
  const prefix = overTls ? '__Host-' : '';
  const nameOf = (state: string): string => `${prefix}${config.prefix}-oauth-${state}`;
  // `SameSite` is `None` only if a parent of another site may embed the page, where other cookies are refused.
  const sameSite = config.sameSite === 'None' ? 'None' : 'Lax';
  const jar = createCookieJar(browser, { prefix: config.prefix, sameSite });
  const read = (state: string): Provider | null => {
    const [stored] = jar.readAll(nameOf(state));
    return providers.find((provider) => provider === stored) ?? null;
  };
  return {
    read,
    store: (state, provider) => {
      // Browsers list the oldest cookie first.
      const stored = cookieNames(browser).filter((name) => name.startsWith(nameOf('')));
      for (const name of stored.slice(0, -(mostStates - 1))) jar.remove(name);
      return jar.write(nameOf(state), provider, Date.now() + stateLifeMs);
    },
    remove: (state) => jar.remove(nameOf(state)),
  };
}
