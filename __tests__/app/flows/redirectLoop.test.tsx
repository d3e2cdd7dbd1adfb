import { App } from '@app/App';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { hosts, severalPersonas, tokenPair } from '../../support/builders';
import { fakeBrowser } from '../../support/fakeDeps';
import { openApp, pass, settle } from '../../support/openApp';
import { put, start } from '../../features/session/refresh/openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));
afterEach(() => jest.useRealTimers());

const fallback = 'An unexpected error occurred. Please try again later. We apologize for the inconvenience.';

/** A tab of somebody who is signed in, which `/login` is loaded in again and again. */
const bouncing = (facts = {}) => {
  const browser = fakeBrowser();
  put({ cookies: browser.jar }, tokenPair(facts));
  const { notes } = browser.tab();
  const arrive = (path = '/login') => openApp(browser.tab({ path, overrides: { notes } }));
  return { browser, arrive };
};

describe('an application that sends the person back each time', () => {
  it('is not gone to a fourth time within 30 s: the fallback message, and Sign Out', async () => {
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

  it('is gone to again when 30 s have passed', async () => {
    const { arrive } = bouncing();
    for (const _time of [1, 2, 3]) arrive();
    await pass(30_000);
    expect(arrive().deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('is gone to again when the clock was set back', async () => {
    const { arrive } = bouncing({ lifeSeconds: 7200 });
    await pass(3_600_000);
    for (const _time of [1, 2, 3]) arrive();
    jest.setSystemTime(start);
    expect(arrive().deps.navigation.leaves).toEqual([hosts.ledger]);
  });

  it('is counted in this tab alone', () => {
    const { browser, arrive } = bouncing();
    for (const _time of [1, 2, 3]) arrive();
    expect(openApp(browser.tab()).deps.navigation.leaves).toEqual([hosts.ledger]);
  });
});

it('the account settings may be gone to as often as one likes', async () => {
  const { arrive } = bouncing({ personas: severalPersonas });
  for (const _time of [1, 2, 3, 4, 5]) {
    const app = arrive();
    app.deps.api.users.attributes.mockReturnValue(new Promise(() => undefined));
    await settle();
    expect(app.deps.navigation.address()).toBe('/account-settings');
  }
});

describe('a browser that keeps no cookies', () => {
  it('is told so on /login, and the form stays', () => {
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

  it('for a frame is not told to switch them on', () => {
    const deps = fakeBrowser().tab({ embedding: 'trusted' });
    deps.cookies.switchOff();
    expect(openApp(deps).dialog()).toBeUndefined();
  });

  it('is not looked for where a cookie is there', () => {
    const deps = fakeBrowser().tab();
    deps.cookies.write('payments-test-username', 'ada', { kind: 'session' });
    const enabled = jest.spyOn(deps.cookies, 'enabled');
    expect(openApp(deps).dialog()).toBeUndefined();
    expect(enabled).not.toHaveBeenCalled();
  });
});
