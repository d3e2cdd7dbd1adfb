import { createTextStorage, createOauthStates } from '@shared/ports/browser/storage';
import fc from 'fast-check';
import { testConfig } from '../../../support/builders';
import { examples } from '@vestibule/contract/testing/examples';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';

beforeEach(() => {
  localStorage.clear();
});

const local = () => createTextStorage(() => localStorage, 'payments-test-');

describe('a stored text', () => {
  it('is available to the next page, under the prefix of the deployment', () => {
    expect(local().write('clock-skew', '5000')).toBe(true);
    expect(local().read('clock-skew')).toBe('5000');
    expect(Object.keys(localStorage)).toEqual(['payments-test-clock-skew']);
    expect(createTextStorage(() => localStorage, 'other-').read('clock-skew')).toBeNull();
  });

  it('is removed on request', () => {
    local().write('clock-skew', '5000');
    expect(local().write('clock-skew', null)).toBe(true);
    expect(local().read('clock-skew')).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it('that another tab changed is read in its current form', () => {
    const [one, other] = [local(), local()];
    one.write('refresh-pause', '1 2');
    other.write('refresh-pause', '2 3');
    expect(one.read('refresh-pause')).toBe('2 3');
  });
});

describe('a browser without storage', () => {
  const refusing = (): Storage => {
    throw new DOMException('denied', 'SecurityError');
  };
  const full = (): Storage =>
    Object.assign(Object.create(Storage.prototype) as Storage, {
      getItem: () => null,
      removeItem: () => undefined,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });

  it.each([
    ['a blocked storage', refusing],
    ['a full storage', full],
  ])('%s: a text lasts as long as the page', (_name, storage) => {
    const texts = createTextStorage(storage, 'p-');
    expect(texts.read('redirects')).toBeNull();
    expect(texts.write('redirects', '1')).toBe(false);
    expect(texts.read('redirects')).toBe('1');
    texts.write('redirects', null);
    expect(texts.read('redirects')).toBeNull();
  });
});

describe('stored states', () => {
  const { cookies } = testConfig();
  const states = createOauthStates(window, cookies);
  const native = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');

  /** Records what is written, and stores it as jsdom does. */
  function recordWrites(): readonly string[] {
    const written: string[] = [];
    jest.spyOn(document, 'cookie', 'set').mockImplementation((text) => {
      written.push(text);
      native?.set?.call(document, text);
    });
    return written;
  }

  /** A page served over this protocol. */
  const servedOver = (protocol: string) =>
    Object.assign(Object.create(window) as Window, { isSecureContext: true, location: { protocol } });

  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
    for (const pair of document.cookie.split('; ')) {
      const [name = ''] = pair.split('=');
      document.cookie = `${name}=; path=/; max-age=0`;
    }
  });

  it('a stored state is read back with its provider until it is removed', () => {
    expect(states.store('state-1', 'google')).toBe(true);
    expect(states.store('state-2', 'microsoft')).toBe(true);
    expect([states.read('state-1'), states.read('state-2')]).toEqual(['google', 'microsoft']);
    states.remove('state-1');
    expect([states.read('state-1'), states.read('state-2')]).toEqual([null, 'microsoft']);
    states.remove('state-1');
  });

  it('are the newest four: closed tabs leave theirs behind', () => {
    const all = ['state-1', 'state-2', 'state-3', 'state-4', 'state-5', 'state-6'];
    document.cookie = 'other-oauth-state-1=google; path=/';
    for (const state of all) expect(states.store(state, 'google')).toBe(true);
    expect(all.filter((state) => states.read(state) !== null)).toEqual(all.slice(2));
    expect(document.cookie).toContain('other-oauth-state-1=google');
  });

  it('is a host-only cookie for 10 minutes, for our own pages', () => {
    jest.useFakeTimers({ now: Date.UTC(2027, 0, 15, 8, 0, 0) });
    const written = recordWrites();
    states.store('state-1', 'google');
    expect(written).toEqual([
      'payments-test-oauth-state-1=google; path=/; sameSite=Lax; expires=Fri, 15 Jan 2027 08:10:00 GMT',
    ]);
  });

  it('is Secure over https', () => {
    const written = recordWrites();
    createOauthStates(servedOver('https:'), cookies).store('state-1', 'google');
    expect(written).toHaveLength(1);
    expect(written[0]).toMatch(/; secure(;|$)/i);
    // The browser refuses a cookie with this name prefix that a sibling host sets for the parent domain.
    expect(written[0]).toMatch(/^__Host-payments-test-oauth-state-1=google; path=\/; /);
  });

  it('can be stored in a frame on another site if the deployment allows embedding there', () => {
    const written = recordWrites();
    createOauthStates(servedOver('https:'), { ...cookies, sameSite: 'None' }).store('state-1', 'google');
    expect(written[0]).toMatch(/; sameSite=None; secure(;|$)/i);
  });

  it.each(['facebook', 'Google', 'google ', '', 'google,microsoft', '%'])('a value %j is none', (value) => {
    document.cookie = `payments-test-oauth-state-1=${value}; path=/`;
    // The browser trims a value's ends; the rest may be a known provider.
    expect(states.read('state-1')).toBe(value.trim() === 'google' ? 'google' : null);
  });

  it('the state of another environment is ignored', () => {
    createOauthStates(window, { ...cookies, prefix: 'payments' }).store('state-1', 'google');
    expect(states.read('state-1')).toBeNull();
  });

  it('any text can be read and removed: it is never found, and never throws', () => {
    states.store('state-1', 'google');
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (state) => {
        fc.pre(state !== 'state-1');
        expect(states.read(state)).toBeNull();
        states.remove(state);
        expect(states.read('state-1')).toBe('google');
      }),
      { numRuns: examples(2000) },
    );
  });

  it('a browser that stores no cookie is reported', () => {
    jest.spyOn(document, 'cookie', 'set').mockImplementation(() => undefined);
    expect(states.store('state-1', 'google')).toBe(false);
  });

  it('a sandboxed frame, where every access throws, has none and stores none', () => {
    const denied = () => {
      throw new DOMException('denied', 'SecurityError');
    };
    Object.defineProperty(document, 'cookie', { configurable: true, get: denied, set: denied });
    try {
      expect(states.store('state-1', 'google')).toBe(false);
      expect(states.read('state-1')).toBeNull();
      expect(() => states.remove('state-1')).not.toThrow();
    } finally {
      Reflect.deleteProperty(document, 'cookie');
    }
  });
});
