/** @jest-environment node */
import { pass, settle } from '../../../support/openApp';
import { openReturn } from './openReturn';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('/oauth-redirect with another state closes, and tells nobody', () => {
  it.each([
    ['none', '?code=code-1'],
    ['an empty one', '?code=code-1&state='],
    ['a foreign one', '?code=code-1&state=state-of-an-attacker'],
    ['the stored one and more', '?code=code-1&state=state-1x'],
    ['the stored one in capitals', '?code=code-1&state=STATE-1'],
    ['one of 10 kB', `?code=code-1&state=${'s'.repeat(10_240)}`],
    ['two, the stored one second', '?code=code-1&state=other&state=state-1'],
    ['nothing at all', ''],
    ['an error and a foreign one', '?error=access_denied&state=other'],
    ['one that names a host which is not listed', '?code=code-1&state=state-1.evil.example'],
    [
      'one that names a listed host without its port',
      '?code=code-1&state=state-1.suppliers.payments.localhost',
    ],
    ['one that names the login host', '?code=code-1&state=state-1.login.payments.localhost:4000'],
  ])('%s', async (_name, query) => {
    const page = openReturn(query);
    await pass(11_000);
    expect([page.onChannel, page.toOpener]).toEqual([[], []]);
    expect(page.deps.popup.closedSelf()).toBe(true);
    expect(page.deps.navigation.address()).toBe('/oauth-redirect');
    expect(page.order).not.toContain('broadcast.open');
    // The true flow goes on.
    expect([...page.browser.oauthStates.stored]).toEqual([['state-1', 'google']]);
    expect(page.deps.log.errors).toEqual([]);
  });

  it('one that was used already', async () => {
    const first = openReturn('?code=code-1&state=state-1');
    await settle();
    const second = openReturn('?code=code-2&state=state-1', { browser: first.browser });
    await pass(11_000);
    expect(second.toOpener).toEqual([]);
    expect(first.onChannel.filter((message) => JSON.stringify(message).includes('code-2'))).toEqual([]);
    expect(second.deps.popup.closedSelf()).toBe(true);
  });

  it('where the browser lets no page close itself, the button is there', async () => {
    const page = openReturn('?code=code-1&state=other');
    await settle();
    expect(page.state().auth.oauthReturn).toEqual({ phase: 'over' });
  });
});
