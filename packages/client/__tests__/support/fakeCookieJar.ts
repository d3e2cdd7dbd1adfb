import { cookieBytes, cookieLimit, type CookieJar } from '../../src/cookies';

interface HeldCookie {
  readonly name: string;
  readonly value: string;
  /** ms since the epoch; `null` lives as long as the browser session. */
  readonly expiresAt: number | null;
  /** Set by a sibling host, in addition to ours. */
  readonly tossed: boolean;
}

/** Cookies in memory, shared by all tabs of a fake browser, with the faults that real ones have. */
export interface FakeCookieJar extends CookieJar {
  readonly enabled: () => boolean;
  readonly names: () => readonly string[];
  /** A sibling host sets a second cookie with the same name (docs/behaviour.md#cookies). */
  readonly toss: (name: string, value: string) => void;
  /**
   * A sibling host sets HttpOnly cookies with these names: the browser silently drops writes to them, and scripts see
   * none of them.
   */
  readonly refuse: (...names: readonly string[]) => void;
  /** Ends that, as a host does that expires them. */
  readonly acceptAgain: () => void;
  /** Cookies are switched off: nothing is stored, nothing is read. */
  readonly switchOff: () => void;
  /** Expiry of a cookie in ms since the epoch; `null` = browser session; `undefined` = no such cookie. */
  readonly expiryOf: (name: string) => number | null | undefined;
  /** All current cookies, first value by name. */
  readonly contents: () => Readonly<Record<string, string>>;
}

/** Creates an empty cookie jar. Cookies expire by `Date.now()`, which jest's fake timers move. */
export function createFakeCookieJar(): FakeCookieJar {
  let held: readonly HeldCookie[] = [];
  let on = true;
  const refused = new Set<string>();

  const alive = () => {
    held = held.filter(({ expiresAt }) => expiresAt === null || expiresAt > Date.now());
    return on ? held : [];
  };
  const named = (name: string) => alive().filter((cookie) => cookie.name === name);
  const readAll = (name: string) => named(name).map(({ value }) => value);
  const keep = (cookie: HeldCookie) => {
    held = [...held.filter(({ name, tossed }) => name !== cookie.name || tossed !== cookie.tossed), cookie];
  };

  return {
    enabled: () => on,
    readAll,
    names: () => [...new Set(alive().map(({ name }) => name))],
    write: (name, value, until) => {
      if (cookieBytes(name, value) > cookieLimit || refused.has(name) || !on) return false;
      keep({ name, value, expiresAt: until ?? null, tossed: false });
      return readAll(name).includes(value);
    },
    remove: (name) => {
      held = held.filter((cookie) => cookie.name !== name);
    },
    toss: (name, value) => {
      keep({ name, value, expiresAt: null, tossed: true });
    },
    refuse: (...names) => {
      for (const name of names) refused.add(name);
    },
    acceptAgain: () => {
      refused.clear();
    },
    switchOff: () => {
      on = false;
    },
    expiryOf: (name) => named(name)[0]?.expiresAt,
    contents: () => Object.fromEntries(alive().map(({ name }) => [name, readAll(name)[0] ?? ''])),
  };
}
