import { createCookies } from '@shared/ports/browser/createBrowserPorts';
import { createNavigation } from '@shared/ports/browser/navigation';
import type { CookieJar, Navigation, RawLocation } from '@shared/ports/ports';
import { ApiError } from '@shared/api/apiError';
import { decodeClaims } from '@features/session/claims';
import { accessToken, answers, severalPersonas, testConfig } from './builders';
import { fakeBrowser, fakeDeps } from './fakeDeps';
import { createFakeCookieJar } from '@vestibule/client/testing/fakeCookieJar';
import { createFakeNavigation } from './fakeNavigation';

/* The fakes replace the browser in every saga test: if they behave differently, those tests prove nothing. */

const session = { kind: 'session' } as const;

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
    expect(jar.write('n', 'v', session)).toBe(true);
    expect(jar.write('n', 'w', session)).toBe(true);
    expect([jar.readAll('n'), jar.names()]).toEqual([['w'], ['n']]);
  });

  it('refuses 4,097 bytes and keeps the old value', () => {
    jar.write('n', 'old', session);
    expect(jar.write('n', 'x'.repeat(4096), session)).toBe(false);
    expect(jar.write('n', '\ud800', session)).toBe(false);
    expect(jar.readAll('n')).toEqual(['old']);
  });

  it('drops expired cookies, and refuses already expired ones', () => {
    expect(jar.write('n', 'v', { kind: 'until', at: Date.now() + 60_000 })).toBe(true);
    expect(jar.write('n', 'v', { kind: 'until', at: Date.now() - 1000 })).toBe(false);
    expect(jar.readAll('n')).toEqual([]);
  });

  it('removes cookies, also missing ones', () => {
    jar.write('n', 'v', session);
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

describe('fake tabs of one browser', () => {
  it('share only cookies and locks', async () => {
    const browser = fakeBrowser();
    const [one, other] = [browser.tab(), browser.tab({ path: '/account-settings' })];
    one.cookies.write('n', 'v', session);
    one.vault.put('challenge', { authVerificationToken: 'vt' });
    expect(other.cookies.readAll('n')).toEqual(['v']);
    expect(other.vault.get('challenge')).toBeUndefined();
    expect(other.navigation.address()).toBe('/account-settings');
    const outcome = await one.locks.tryRun('lock', () =>
      other.locks.tryRun('lock', () => Promise.resolve(1)),
    );
    expect(outcome).toEqual({ held: true, value: { held: false } });
    await expect(other.locks.tryRun('lock', () => Promise.resolve(1))).resolves.toEqual({
      held: true,
      value: 1,
    });
  });

  it('release their lock and their secrets when they are left', async () => {
    const browser = fakeBrowser();
    const tab = browser.tab();
    tab.vault.put('challenge', { authVerificationToken: 'vt' });
    await tab.locks.tryRun('lock', () => {
      expect([...browser.heldLocks]).toEqual(['lock']);
      tab.pageLife.emit('left');
      expect([...browser.heldLocks]).toEqual([]);
      return Promise.resolve();
    });
    expect(tab.vault.get('challenge')).toBeUndefined();
  });

  it('have a clock that follows the fake timers and can be set independently', () => {
    jest.useFakeTimers({ now: 1_000_000 });
    const { clock } = fakeDeps();
    const started = clock.monotonic();
    jest.advanceTimersByTime(500);
    clock.advance(1000);
    expect([clock.now(), clock.monotonic() - started]).toEqual([1_001_500, 1500]);
    clock.set(5);
    expect([clock.now(), clock.monotonic() - started]).toEqual([5, 1500]);
    jest.useRealTimers();
  });

  it('have the faults of real cookie jars on demand', () => {
    const { cookies } = fakeDeps();
    cookies.write('n', 'ours', session);
    cookies.toss('n', 'theirs');
    expect(cookies.readAll('n')).toEqual(['ours', 'theirs']);
    cookies.refuse('n');
    expect(cookies.write('n', 'new', session)).toBe(false);
    cookies.write('kept', 'v', { kind: 'until', at: Date.now() + 86_400_000 });
    cookies.restart();
    expect(cookies.contents()).toEqual({ kept: 'v' });
    cookies.switchOff();
    expect([cookies.enabled(), cookies.write('m', 'v', session), cookies.names()]).toEqual([
      false,
      false,
      [],
    ]);
  });

  it('have an api that throws until it is arranged, and not an error of the service', async () => {
    const { api } = fakeDeps();
    const failure = await api.auth.refresh('r').catch((error: unknown) => error);
    expect(failure).toEqual(new Error('The test did not arrange an answer of api.auth.refresh'));
    expect(failure).not.toBeInstanceOf(ApiError);
  });

  it('notify only a trusted parent', () => {
    const tabs = (['none', 'trusted', 'untrusted'] as const).map(
      (embedding) => fakeDeps({ embedding }).parentFrame,
    );
    for (const parent of tabs) parent.notify('new_tokens');
    expect(tabs.map(({ messages }) => messages)).toEqual([[], ['new_tokens'], []]);
  });
});

it('build tokens that the application decodes', () => {
  const claims = decodeClaims(
    accessToken({ firstName: 'Ünïcode', personas: severalPersonas, iat: 100, lifeSeconds: 50 }),
  );
  expect(claims).toMatchObject({ uid: 'u_1', firstName: 'Ünïcode', iat: 100, exp: 150, method: 'basic' });
  expect(claims?.personas).toHaveLength(2);
  expect(decodeClaims(answers.mustSetUpMfa().mfaJWT ?? '')?.isMfaSetup).toBe(true);
});
