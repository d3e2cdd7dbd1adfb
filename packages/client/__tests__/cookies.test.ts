import * as fc from 'fast-check';
import Cookies from 'js-cookie';
import * as kit from '../src/cookies';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';

/** All that the kit does with cookies. */
const createCookieJar = (browser: Window, options: kit.CookieOptions) => ({
  ...kit.createCookieJar(browser, options),
  enabled: () => kit.keepsCookies(browser, options),
  names: () => kit.cookieNames(browser),
});

const cookies = { prefix: 'payments-test', domain: 'payments.localhost', sameSite: 'Lax' } as const;

/** A window that records what is written, and stores it as jsdom does. */
function recordingWindow(changes: { protocol?: string; isSecureContext?: boolean } = {}) {
  const written: string[] = [];
  const own = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  jest.spyOn(document, 'cookie', 'set').mockImplementation((text) => {
    written.push(text);
    own?.set?.call(document, text);
  });
  const browser = {
    document,
    location: { hostname: window.location.hostname, pathname: '/', protocol: changes.protocol ?? 'http:' },
    isSecureContext: changes.isSecureContext ?? true,
  };
  return { browser: Object.assign(Object.create(window) as Window, browser), written };
}

function clearEverything() {
  const jar = createCookieJar(window, cookies);
  for (const name of jar.names()) jar.remove(name);
}

let jar: ReturnType<typeof createCookieJar>;

beforeEach(() => {
  clearEverything();
  jar = createCookieJar(window, cookies);
});

afterEach(() => {
  jest.restoreAllMocks();
  window.history.replaceState(null, '', '/');
  clearEverything();
});

describe('writing a cookie', () => {
  it('is decoded by the sibling applications, which use js-cookie', () => {
    const value = JSON.stringify({ authenticated: { token: 'a.b.c', refresh: 'r;1, "2"' } });
    expect(jar.write('payments-test-session', value)).toBe(true);
    expect(document.cookie).toBe(
      'payments-test-session={%22authenticated%22:{%22token%22:%22a.b.c%22%2C%22refresh%22:%22r%3B1%2C%20%5C%222%5C%22%22}}',
    );
    expect(jar.readAll('payments-test-session')).toEqual([value]);
  });

  const anyText = fc.string({ unit: anyCharacter, maxLength: 60 });

  it('creates exactly one cookie of the expected name, for any username', () => {
    fc.assert(
      fc.property(anyText, anyText, (username, value) => {
        const name = `payments-test-session-trust-${username}`;
        expect(jar.write(name, value)).toBe(true);
        expect(document.cookie.split('; ')).toHaveLength(1);
        expect(jar.names()).toEqual([name]);
        expect(jar.readAll(name)).toEqual([value]);
        expect(Cookies.get(name)).toBe(value);
        jar.remove(name);
        expect(document.cookie).toBe('');
      }),
      { numRuns: 200 },
    );
  });

  it('is refused, without an exception, for text that has no UTF-8 form', () => {
    expect(jar.write('payments-test-username', '\ud800')).toBe(false);
    expect(jar.write('trust-\udfff', 'v')).toBe(false);
    expect(jar.readAll('trust-\udfff')).toEqual([]);
    expect(document.cookie).toBe('');
  });

  it('stores name and value of 4,096 bytes together and refuses one byte more, keeping the old value', () => {
    const name = 'payments-test-session';
    const fits = 'v'.repeat(4096 - name.length);
    expect(jar.write(name, fits)).toBe(true);
    expect(jar.write(name, `${fits}v`)).toBe(false);
    expect(jar.readAll(name)).toEqual([fits]);
  });

  it('counts the encoded bytes', () => {
    expect(jar.write('n', '€'.repeat(500))).toBe(false);
  });

  it('detects that the browser dropped it silently', () => {
    const otherDomain = createCookieJar(window, { ...cookies, domain: 'other.example' });
    expect(otherDomain.write('payments-test-session', 'v')).toBe(false);
  });

  it('detects that an older value stayed', () => {
    jar.write('payments-test-session', 'old');
    jest.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined);
    expect(jar.write('payments-test-session', 'new')).toBe(false);
  });
});

describe('the attributes', () => {
  it.each([
    ['http, Lax', { protocol: 'http:' }, 'Lax', false],
    ['https, Lax', { protocol: 'https:' }, 'Lax', true],
    ['https but no secure context', { protocol: 'https:', isSecureContext: false }, 'Lax', false],
    ['http, None', { protocol: 'http:' }, 'None', true],
    ['https, Strict', { protocol: 'https:' }, 'Strict', true],
  ] as const)('carry Secure over https, and with SameSite=None: %s', (_case, page, sameSite, secure) => {
    const { browser, written } = recordingWindow(page);
    const recorded = createCookieJar(browser, { ...cookies, sameSite });
    recorded.write('n', 'v');
    // A cookie that stays is removed everywhere. Browsers ignore a removal whose attributes they would refuse when the cookie is set.
    jest.spyOn(document, 'cookie', 'get').mockReturnValue('n=v');
    recorded.remove('n');
    const common = ['path=/', `sameSite=${sameSite}`, ...(secure ? ['secure'] : [])];
    const [domain, expired] = ['domain=payments.localhost', 'expires=Thu, 01 Jan 1970 00:00:00 GMT'];
    const [first, ...removals] = written;
    expect(first).toBe(['n=v', ...common, domain].join('; '));
    expect(removals).toContain(['n=', ...common, domain, expired].join('; '));
    expect(removals).toContain(['n=', ...common, expired].join('; '));
    const isAsWritten = (text: string) =>
      common.slice(1).every((attribute) => text.includes(`; ${attribute}`));
    expect(removals.filter((text) => !isAsWritten(text) || !text.endsWith(expired))).toEqual([]);
  });

  it('omit the domain for host-only cookies', () => {
    const { browser, written } = recordingWindow();
    createCookieJar(browser, { prefix: 'p', sameSite: 'Lax' }).write('n', 'v');
    expect(written).toEqual(['n=v; path=/; sameSite=Lax']);
  });

  it('set the lifetime', () => {
    const { browser, written } = recordingWindow();
    const recorded = createCookieJar(browser, cookies);
    recorded.write('until', 'v', Date.UTC(2026, 5, 1));
    expect(written.map((text) => /expires=([^;]*)/.exec(text)?.[1])).toEqual([
      'Mon, 01 Jun 2026 00:00:00 GMT',
    ]);
  });
});

describe('a name that a sibling host has set too', () => {
  it('returns every value', () => {
    document.cookie = 'payments-test-session=theirs; path=/';
    jar.write('payments-test-session', 'ours');
    expect([...jar.readAll('payments-test-session')].sort()).toEqual(['ours', 'theirs']);
    expect(jar.names()).toEqual(['payments-test-session']);
  });

  it.each([
    ['this host', 'path=/'],
    ['the parent domain', 'path=/; domain=payments.localhost'],
    ['this host as a domain', 'path=/; domain=login.payments.localhost'],
    ['a path of this page', 'path=/account-settings'],
    ['a path and the parent domain', 'path=/account-settings; domain=payments.localhost'],
  ])('is removed from %s', (_place, attributes) => {
    window.history.replaceState(null, '', '/account-settings/');
    document.cookie = `payments-test-session=theirs; ${attributes}`;
    jar.write('payments-test-session', 'ours');
    expect(jar.readAll('payments-test-session')).toHaveLength(
      attributes === 'path=/; domain=payments.localhost' ? 1 : 2,
    );
    jar.remove('payments-test-session');
    expect(document.cookie).toBe('');
  });
});

describe('reading', () => {
  it.each([
    ['malformed percent-encoding unchanged', 'n=%E0%A4%A', '%E0%A4%A'],
    ['an empty value', 'n=', ''],
    ['a value with an equals sign', 'n=a=b', 'a=b'],
    ['a quoted value', 'n="a%20b"', 'a b'],
  ])('returns %s', (_case, text, value) => {
    document.cookie = `${text}; path=/; domain=payments.localhost`;
    expect(jar.readAll('n')).toEqual([value]);
  });

  it('finds a cookie under the spelling of js-cookie only, which is the one that is removed', () => {
    document.cookie = 'payments-test-session-trust-%61da@x=theirs; path=/';
    document.cookie = 'payments-test%2Dsession=theirs; path=/';
    expect(jar.readAll('payments-test-session-trust-ada@x')).toEqual([]);
    expect(jar.readAll('payments-test-session')).toEqual([]);
    for (const name of ['payments-test-session-trust-%61da@x', 'payments-test%2Dsession'])
      document.cookie = `${name}=; path=/; max-age=0`;
  });

  it('distinguishes a username from one that looks like its encoded form', () => {
    jar.write('payments-test-session-trust-ada@x', 'of ada@x');
    expect(jar.readAll('payments-test-session-trust-ada%40x')).toEqual([]);
    jar.write('payments-test-session-trust-ada%40x', 'of ada%40x');
    expect(jar.readAll('payments-test-session-trust-ada%40x')).toEqual(['of ada%40x']);
    jar.remove('payments-test-session-trust-ada%40x');
    expect(jar.readAll('payments-test-session-trust-ada@x')).toEqual(['of ada@x']);
  });

  it('ignores names that cannot be decoded', () => {
    document.cookie = '%E0%A4%A=x; path=/; domain=payments.localhost';
    expect(jar.names()).toEqual([]);
    document.cookie = '%E0%A4%A=; path=/; domain=payments.localhost; expires=Thu, 01 Jan 1970 00:00:00 GMT';
  });

  it('distinguishes names by case and prefix', () => {
    jar.write('payments-test-session-refresh', 'r');
    jar.write('Payments-test-session', 'x');
    expect(jar.readAll('payments-test-session')).toEqual([]);
  });
});

describe('whether the browser stores cookies', () => {
  it('is tested with a probe that is removed again', () => {
    expect(jar.enabled()).toBe(true);
    expect(document.cookie).toBe('');
  });

  it('is not confused with a wrong parent domain', () => {
    expect(createCookieJar(window, { ...cookies, domain: 'other.example' }).enabled()).toBe(true);
  });

  it('is true where only the family’s cookies are kept', () => {
    const write = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie')?.set;
    jest.spyOn(document, 'cookie', 'set').mockImplementation((text) => {
      if (/domain=/i.test(text)) write?.call(document, text);
    });
    expect(createCookieJar(window, { ...cookies, domain: location.hostname }).enabled()).toBe(true);
    expect(document.cookie).toBe('');
  });

  it('is false when they are switched off', () => {
    jest.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined);
    expect(jar.enabled()).toBe(false);
  });

  it('is false, without an exception, in a frame whose storage is blocked', () => {
    const blocked = () => {
      throw new DOMException('The document is sandboxed', 'SecurityError');
    };
    jest.spyOn(document, 'cookie', 'set').mockImplementation(blocked);
    jest.spyOn(document, 'cookie', 'get').mockImplementation(blocked);
    expect(jar.enabled()).toBe(false);
    expect(jar.readAll('n')).toEqual([]);
    expect(jar.names()).toEqual([]);
    expect(jar.write('n', 'v')).toBe(false);
    expect(() => {
      jar.remove('n');
    }).not.toThrow();
    jest.restoreAllMocks();
  });
});
