/** @jest-environment node */
/** Tests postCodeToOpener.saga. */
import { oauthWindowCloseRequested } from '@features/auth/provider/oauthReturn.slice';
import { testConfig } from '../../../support/builders';
import { pass, settle } from '../../../support/openApp';
import { openReturn } from './openReturn';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));

const code = { type: 'oauth/code', code: 'code-1' };
/** By postMessage each message names its flow: a window may return with the state of another one. */
const named = (message: object) => ({ ...message, state: 'state-1' });
const received = { type: 'oauth/received' };

describe('/oauth-redirect with the stored state', () => {
  it('removes code and state from the address before anything else', async () => {
    const page = openReturn('?code=code-1&state=state-1&session_state=x');
    // Before the screen's saga is even fetched.
    expect(page.address()).toBe('/oauth-redirect');
    await settle();
    expect(page.order).toEqual([
      'navigation.replace',
      'oauthStates.read',
      'oauthStates.remove',
      'broadcast.open',
    ]);
    expect(page.deps.navigation.replaces).toEqual(['/oauth-redirect']);
    expect(page.deps.navigation.pushes).toEqual([]);
    expect(page.deps.vault.get('maskedLocation')).toEqual({});
    expect(page.state().page.location).toMatchObject({ pathname: '/oauth-redirect', search: '' });
  });

  it('posts it every 500 ms on both channels', async () => {
    const page = openReturn('?code=code-1&state=state-1');
    await settle();
    for (const times of [1, 2, 3, 4]) {
      expect(page.onChannel).toHaveLength(times);
      await pass(499);
      expect(page.onChannel).toHaveLength(times);
      await pass(1);
    }
    expect(page.toOpener).toEqual(page.onChannel.map(named));
    expect(new Set(page.onChannel.map((message) => JSON.stringify(message))).size).toBe(1);
  });

  it.each([
    ['the channel', 'answerOnChannel'],
    ['the opener', 'answerAsOpener'],
  ] as const)('stops at the answer over %s, and closes', async (_name, answer) => {
    const page = openReturn('?code=code-1&state=state-1');
    await pass(1200);
    page[answer](received);
    await settle();
    expect(page.deps.popup.closedSelf()).toBe(true);
    await pass(20_000);
    expect([page.onChannel.length, page.toOpener.length]).toEqual([3, 3]);
    expect(page.channelIsOpen()).toBe(false);
    expect(page.state().auth.oauthReturn).toEqual({ phase: 'over' });
  });

  it('stops after 10 s without an answer and says that the window can be closed, also with a button', async () => {
    const page = openReturn('?code=code-1&state=state-1');
    await pass(9_999);
    expect(page.state().auth.oauthReturn).toEqual({ phase: 'passing' });
    await pass(1);
    expect(page.state().auth.oauthReturn).toEqual({ phase: 'over' });
    expect(page.onChannel).toHaveLength(20);
    await pass(60_000);
    expect(page.onChannel).toHaveLength(20);
    expect(page.channelIsOpen()).toBe(false);
    expect(page.deps.popup.closedSelf()).toBe(false);
    page.dispatch(oauthWindowCloseRequested());
    expect(page.deps.popup.closedSelf()).toBe(true);
  });

  it.each([
    ['an error of the provider', '?error=access_denied&error_description=x&state=state-1', 'access_denied'],
    ['another one', '?error=server_error&state=state-1', 'server_error'],
    ['an error of another shape', '?error=%3Cscript%3E&state=state-1', 'other_error'],
    ['an error with capitals', '?error=Access_Denied&state=state-1', 'other_error'],
    ['an error specific to a provider', '?error=AADSTS65004&state=state-1', 'other_error'],
    ['our own error for a missing code', '?error=no_code&state=state-1', 'other_error'],
    ['our own error for another issuer', '?error=other_issuer&state=state-1', 'other_error'],
    ['an error far too long', `?error=${'e'.repeat(65)}&state=state-1`, 'other_error'],
    ['an empty error', '?error=&state=state-1', 'no_code'],
    ['neither code nor error', '?state=state-1', 'no_code'],
    ['an empty code', '?code=&state=state-1', 'no_code'],
    ['an error with a code', '?code=code-1&error=access_denied&state=state-1', 'access_denied'],
    ['an empty code with an error', '?code=&error=access_denied&state=state-1', 'access_denied'],
  ])('reports %s', async (_name, query, error) => {
    const page = openReturn(query);
    await settle();
    expect([page.onChannel, page.toOpener]).toEqual([
      [{ type: 'oauth/error', error }],
      [named({ type: 'oauth/error', error })],
    ]);
    expect(page.address()).toBe('/oauth-redirect');
    page.answerOnChannel(received);
    await settle();
    expect(page.deps.popup.closedSelf()).toBe(true);
  });
});

describe('an answer that names its issuer (RFC 9207)', () => {
  const google = 'http%3A%2F%2Fgoogle.payments.localhost%3A4000';

  it.each([google, `${google}%2Fv2.0`])('is accepted from the requested provider: %s', async (issuer) => {
    const page = openReturn(`?code=code-1&state=state-1&iss=${issuer}`);
    await settle();
    expect(page.onChannel).toEqual([code]);
  });

  it.each([
    'http%3A%2F%2Fmicrosoft.payments.localhost%3A4000',
    'https%3A%2F%2Fgoogle.payments.localhost%3A4000',
    `${google}0`,
    `${google}.evil.example`,
    'google',
    '',
  ])('of another issuer is posted as an error, without code or state: %s', async (issuer) => {
    const page = openReturn(`?code=code-1&state=state-1&iss=${issuer}`);
    await settle();
    const other = { type: 'oauth/error', error: 'other_issuer' };
    expect([page.onChannel, page.toOpener]).toEqual([[other], [named(other)]]);
    expect([...page.browser.oauthStates.stored]).toEqual([]);
    page.answerOnChannel(received);
    await settle();
    expect(page.deps.popup.closedSelf()).toBe(true);
  });

  it('from another issuer is reported as such before its own error', async () => {
    const page = openReturn('?error=access_denied&state=state-1&iss=https%3A%2F%2Fevil.example');
    await settle();
    expect(page.onChannel).toEqual([{ type: 'oauth/error', error: 'other_issuer' }]);
  });

  it.each([
    ['https://accounts.example/google', 'code'],
    ['https://accounts.example/google/', 'error'],
    ['https://accounts.example', 'error'],
    ['http://google.payments.localhost:4000', 'error'],
  ])('is compared exactly if an issuer is configured: %s', async (issuer, posted) => {
    const { google: provider, ...rest } = testConfig();
    const config = { ...rest, google: { ...provider, issuer: 'https://accounts.example/google' } };
    const page = openReturn(`?code=code-1&state=state-1&iss=${encodeURIComponent(issuer)}`, { config });
    await settle();
    expect(page.onChannel).toEqual([
      posted === 'code' ? code : { type: 'oauth/error', error: 'other_issuer' },
    ]);
  });
});

it('leaving /oauth-redirect ends the messages', async () => {
  const page = openReturn('?code=code-1&state=state-1');
  await settle();
  page.deps.navigation.visit('/login');
  await pass(2000);
  expect(page.onChannel).toHaveLength(1);
  expect(page.channelIsOpen()).toBe(false);
});

describe('/oauth-redirect with an unknown state closes, and posts nothing', () => {
  it.each([
    ['none', '?code=code-1'],
    ['an empty one', '?code=code-1&state='],
    ['an unknown one', '?code=code-1&state=state-of-an-attacker'],
    ['the stored one with a suffix', '?code=code-1&state=state-1x'],
    ['the stored one in capitals', '?code=code-1&state=STATE-1'],
    ['one of 10 kB', `?code=code-1&state=${'s'.repeat(10_240)}`],
    ['two, the stored one second', '?code=code-1&state=other&state=state-1'],
    ['nothing at all', ''],
    ['an error and an unknown one', '?error=access_denied&state=other'],
    ['one that names a host which is not listed', '?code=code-1&state=state-1.evil.example'],
    ['one of a listed host without its port', '?code=code-1&state=state-1.suppliers.payments.localhost'],
    ['one that names the login host', '?code=code-1&state=state-1.login.payments.localhost:4000'],
  ])('%s', async (_name, query) => {
    const page = openReturn(query);
    await pass(11_000);
    expect([page.onChannel, page.toOpener]).toEqual([[], []]);
    expect(page.deps.popup.closedSelf()).toBe(true);
    expect(page.address()).toBe('/oauth-redirect');
    expect(page.order).not.toContain('broadcast.open');
    // The real flow is unaffected.
    expect([...page.browser.oauthStates.stored]).toEqual([['state-1', 'google']]);
    expect(page.deps.log.errors).toEqual([]);
  });

  it('a state that was used already', async () => {
    const first = openReturn('?code=code-1&state=state-1');
    await settle();
    const second = openReturn('?code=code-2&state=state-1', { browser: first.browser });
    await pass(11_000);
    expect(second.toOpener).toEqual([]);
    expect(first.onChannel.filter((message) => JSON.stringify(message).includes('code-2'))).toEqual([]);
    expect(second.deps.popup.closedSelf()).toBe(true);
  });
});
