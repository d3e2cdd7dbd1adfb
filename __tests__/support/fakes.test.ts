import { createCookies } from '@shared/ports/browser/createBrowserPorts';
import { createNavigation } from '@shared/ports/browser/navigation';
import type { CookieJar, Navigation, RawLocation } from '@shared/ports/ports';
import { createFakeCookieJar } from '@vestibule/client/testing/fakeCookieJar';
import { testConfig } from './builders';
import { createFakeNavigation } from './fakeNavigation';

/* The fakes replace the browser in every saga test: if they behave differently, those tests prove nothing. */

describe.each<[string, () => CookieJar]>([
  ['the browser’s', () => createCookies(window, testConfig().cookies)],
  ['the fake', createFakeCookieJar],
])('%s cookie jar', (_whose, make) => {
  let jar: CookieJar;
  beforeEach(() => {
    jar = make();
  });
  afterEach(() => {
    for (const name of jar.names()) jar.remove(name);
  });

  it('stores what fits and reports it', () => {
    expect(jar.enabled()).toBe(true);
    expect(jar.write('n', 'v')).toBe(true);
    expect(jar.write('n', 'w')).toBe(true);
    expect([jar.readAll('n'), jar.names()]).toEqual([['w'], ['n']]);
  });

  it('refuses 4,097 bytes and keeps the old value', () => {
    jar.write('n', 'old');
    expect(jar.write('n', 'x'.repeat(4096))).toBe(false);
    expect(jar.write('n', '\ud800')).toBe(false);
    expect(jar.readAll('n')).toEqual(['old']);
  });

  it('drops expired cookies, and refuses already expired ones', () => {
    expect(jar.write('n', 'v', Date.now() + 60_000)).toBe(true);
    expect(jar.write('n', 'v', Date.now() - 1000)).toBe(false);
    expect(jar.readAll('n')).toEqual([]);
  });

  it('removes cookies, also missing ones', () => {
    jar.write('n', 'v');
    jar.remove('n');
    jar.remove('n');
    expect([jar.readAll('n'), jar.names()]).toEqual([[], []]);
  });
});

describe.each<[string, () => Navigation]>([
  [
    'the browser’s',
    () => {
      window.history.replaceState(null, '', '/login?a=1#b');
      return createNavigation(window);
    },
  ],
  ['the fake', () => createFakeNavigation('/login?a=1#b', 'login.payments.localhost:4000')],
])('%s navigation', (_whose, make) => {
  it('navigates, notifies and assigns keys in the same way', () => {
    const navigation = make();
    const heard: RawLocation[] = [];
    const first = navigation.current();
    const stop = navigation.subscribe((location) => heard.push(location));
    navigation.push('/two-auth', { n: 1 });
    navigation.replace('//evil.example/x?y#z');
    stop();
    navigation.push('/login');
    const plain = [first, ...heard, navigation.current()].map(({ key: _key, ...rest }) => rest);
    expect(plain).toEqual([
      { pathname: '/login', search: '?a=1', hash: '#b', state: null },
      { pathname: '/two-auth', search: '', hash: '', state: { n: 1 } },
      { pathname: '//evil.example/x', search: '?y', hash: '#z', state: null },
      { pathname: '/login', search: '', hash: '', state: null },
    ]);
    expect(new Set([first, ...heard, navigation.current()].map(({ key }) => key)).size).toBe(4);
    expect(navigation.host()).toBe('login.payments.localhost:4000');
  });
});
