import { createNavigation } from '@shared/ports/browser/navigation';
import { allowConfigured } from '@features/session/redirect/redirectAllowlist';
import type { Navigation, RawLocation } from '@shared/ports/ports';

let navigation: Navigation;
let heard: RawLocation[];

const address = () => window.location.pathname + window.location.search + window.location.hash;

beforeEach(() => {
  window.history.replaceState(null, '', '/login?url=x#top');
  navigation = createNavigation(window);
  heard = [];
});

async function goBack() {
  await new Promise<void>((resolve) => {
    window.addEventListener(
      'popstate',
      () => {
        resolve();
      },
      { once: true },
    );
    navigation.back();
  });
}

it('pushes: the address changes, one entry is added, the state is carried', () => {
  const before = window.history.length;
  navigation.push('/two-auth?a=1#b', { lockoutMessage: 'Too many' });
  expect(address()).toBe('/two-auth?a=1#b');
  expect(window.history.length).toBe(before + 1);
  expect(navigation.current()).toMatchObject({
    pathname: '/two-auth',
    state: { lockoutMessage: 'Too many' },
  });
});

it('replaces: the address changes, no entry is added, an earlier state is removed', () => {
  navigation.push('/two-auth', { secretish: 1 });
  const before = window.history.length;
  navigation.replace('/account-settings');
  expect(address()).toBe('/account-settings');
  expect(window.history.length).toBe(before);
  expect(navigation.current().state).toBeNull();
});

it('keeps key and state of an entry over a reload of the page', () => {
  navigation.push('/two-auth', { n: 1 });
  const reloaded = createNavigation(window);
  expect(reloaded.current()).toEqual(navigation.current());
});

it.each(['//evil.example/x', '/\\evil.example', '//user@evil.example'])('stays on this host: %s', (path) => {
  navigation.push(path);
  expect(window.location.host).toBe('login.payments.localhost:4000');
});

describe('a listener', () => {
  it('is called for push, replace and the Back button, each with the new location', async () => {
    const stop = navigation.subscribe((location) => heard.push(location));
    navigation.push('/a');
    navigation.replace('/b');
    navigation.push('/c', { n: 1 });
    await goBack();
    stop();
    expect(heard.map(({ pathname }) => pathname)).toEqual(['/a', '/b', '/c', '/b']);
    expect(heard.map(({ state }) => state)).toEqual([null, null, { n: 1 }, null]);
    expect(heard[3]?.key).toBe(heard[1]?.key);
  });

  it('is called once for a link to a fragment, as an entry with its own key', async () => {
    navigation.push('/a');
    const before = navigation.current().key;
    const stop = navigation.subscribe((location) => heard.push(location));
    const settled = new Promise((resolve) => {
      window.addEventListener('hashchange', resolve, { once: true });
    });
    window.location.hash = '#main';
    await settled;
    stop();
    expect(heard).toHaveLength(1);
    expect(heard[0]).toMatchObject({ pathname: '/a', hash: '#main' });
    expect(heard[0]?.key).not.toBe(before);
  });

  it('may unsubscribe or navigate while it is called', () => {
    const stop = navigation.subscribe(({ pathname }) => {
      stop();
      if (pathname === '/a') navigation.replace('/b');
    });
    const stopOther = navigation.subscribe((location) => heard.push(location));
    navigation.push('/a');
    stopOther();
    expect(address()).toBe('/b');
    expect(heard.at(-1)?.pathname).toBe('/a');
  });
});

it('replaces the entry on leaving, so that Back does not return to a submitted form', () => {
  const { origin, host, pathname, search, hash } = window.location;
  const moves = { replace: jest.fn(), assign: jest.fn(), reload: jest.fn() };
  const location = { origin, host, pathname, search, hash, ...moves };
  const leaving = createNavigation(
    Object.assign(Object.create(window) as Window, { location, history: window.history }),
  );
  const target = allowConfigured('https://ledger.example/');
  if (!target) throw new Error('the allowlist refused the test address');
  leaving.leave(target);
  leaving.reload();
  expect(location.replace).toHaveBeenCalledWith('https://ledger.example/');
  expect(location.assign).not.toHaveBeenCalled();
  expect(location.reload).toHaveBeenCalledTimes(1);
});
