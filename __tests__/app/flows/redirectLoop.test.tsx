import { App } from '@app/App';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { hosts, severalPersonas, tokenPair } from '../../support/builders';
import { fakeBrowser } from '../../support/fakeDeps';
import { openApp, pass, settle } from '../../support/openApp';
import { fallback } from '../../features/auth/sign-in/openWith';
import { put, start } from '../../features/session/refresh/openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));

/** A tab with a session, in which `/login` is loaded repeatedly. */
const bouncing = (facts = {}) => {
  const browser = fakeBrowser();
  put({ cookies: browser.jar }, tokenPair(facts));
  const { storage } = browser.tab();
  const arrive = (path = '/login') => openApp(browser.tab({ path, overrides: { storage } }));
  return { browser, arrive };
};

describe('an application that redirects back each time', () => {
  it('is not opened a fourth time within 30 s: the fallback message, and Sign Out', async () => {
    const { arrive } = bouncing();
    for (const _time of [1, 2, 3]) {
      expect(arrive().deps.navigation.leaves).toEqual([hosts.ledger]);
      await pass(9000);
    }
    const app = arrive();
    render(<App store={app.store} config={app.deps.config} />);
    expect(app.deps.navigation.leaves).toEqual([]);
    expect(screen.getByRole('alert')).toHaveTextContent(fallback);
    fireEvent.click(screen.getByRole('button', { name: 'Sign Out' }));
    await act(() => settle());
    expect(app.deps.cookies.contents()).toEqual({});
    expect(app.signIn().phase).toBe('username');
    expect(screen.getByLabelText('Username')).toBeVisible();
  });

  it('is opened again after 30 s', async () => {
    const { arrive } = bouncing();
    for (const _time of [1, 2, 3]) arrive();
    await pass(30_000);
    expect(arrive().deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('is opened again when the clock was set back', async () => {
    const { arrive } = bouncing({ lifeSeconds: 7200 });
    await pass(3_600_000);
    for (const _time of [1, 2, 3]) arrive();
    jest.setSystemTime(start);
    expect(arrive().deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('is counted per tab', () => {
    const { browser, arrive } = bouncing();
    for (const _time of [1, 2, 3]) arrive();
    expect(openApp(browser.tab()).deps.navigation.leaves).toEqual([hosts.ledger]);
  });
});

it('the account settings can be opened any number of times', async () => {
  const { arrive } = bouncing({ personas: severalPersonas });
  for (const _time of [1, 2, 3, 4, 5]) {
    const app = arrive();
    app.deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
    await settle();
    expect(app.address()).toBe('/account-settings');
  }
});

describe('a browser with cookies switched off', () => {
  it('shows a message on /login, and the form stays', () => {
    const deps = fakeBrowser().tab();
    deps.cookies.switchOff();
    const app = openApp(deps);
    expect(app.dialog()).toMatchObject({
      title: 'Login Error',
      message: 'Cookies are switched off in this browser. Switch them on to sign in.',
    });
    app.answerDialog(true);
    expect(app.dialog()).toBeUndefined();
    expect(app.signIn().phase).toBe('username');
  });

  it('shows no such message in a frame', () => {
    const deps = fakeBrowser().tab({ embedding: 'trusted' });
    deps.cookies.switchOff();
    expect(openApp(deps).dialog()).toBeUndefined();
  });

  it('is not checked if a cookie exists', () => {
    const deps = fakeBrowser().tab();
    deps.cookies.write('payments-test-username', 'ada');
    const enabled = jest.spyOn(deps.cookies, 'enabled');
    expect(openApp(deps).dialog()).toBeUndefined();
    expect(enabled).not.toHaveBeenCalled();
  });
});
