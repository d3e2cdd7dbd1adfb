/** @jest-environment node */
/** Tests postCodeToOpener.saga. */
import { oauthReturnReducer, oauthWindowCloseRequested } from '@features/auth/provider/oauthReturn.slice';
import { postCodeToOpener } from '@features/auth/provider/postCodeToOpener.saga';
import type { ProviderResponse } from '@features/auth/provider/supplierReturn';
import { expectSaga } from 'redux-saga-test-plan';
import { testConfig } from '../../../support/builders';
import { fakeBrowser } from '../../../support/fakeDeps';
import { createFakePopup } from '../../../support/fakePopups';
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

  it('reports an error of the provider, and closes at the answer', async () => {
    const page = openReturn('?error=access_denied&error_description=x&state=state-1');
    await settle();
    expect([page.onChannel, page.toOpener]).toEqual([
      [{ type: 'oauth/error', error: 'access_denied' }],
      [named({ type: 'oauth/error', error: 'access_denied' })],
    ]);
    expect(page.address()).toBe('/oauth-redirect');
    page.answerOnChannel(received);
    await settle();
    expect(page.deps.popup.closedSelf()).toBe(true);
  });

  it('names no other issuer, and passes on neither its code nor its state', async () => {
    const page = openReturn('?code=code-1&state=state-1&iss=https%3A%2F%2Fevil.example');
    await settle();
    const other = { type: 'oauth/error', error: 'other_issuer' };
    expect([page.onChannel, page.toOpener]).toEqual([[other], [named(other)]]);
    expect([...page.browser.oauthStates.stored]).toEqual([]);
  });
});

/** Hands a response over for at most this long, ms; the opener listens on both lines. */
function handingOver(ms: number, response: Partial<ProviderResponse>, config = testConfig()) {
  const browser = fakeBrowser();
  browser.oauthStates.store('state-1', 'google');
  const window = createFakePopup().openBlank();
  if (!window) throw new Error('The fake lets every window open');
  const line = browser.broadcast.open('state-1');
  const [onChannel, toOpener]: [object[], object[]] = [[], []];
  line.subscribe((message) => onChannel.push(message));
  window.subscribe((message) => toOpener.push(message));
  const popup = createFakePopup(window.inside);
  const deps = browser.tab({ path: '/oauth-redirect', overrides: { popup, config } });
  const whole = { code: undefined, error: undefined, issuer: undefined, state: 'state-1', ...response };
  const saga = expectSaga(postCodeToOpener, deps, whole).withReducer(oauthReturnReducer);
  const result = async () => {
    const running = saga.silentRun(ms);
    await pass(ms);
    return ((await running) as { storeState: { readonly phase: string } }).storeState.phase;
  };
  return { line, window, popup, saga, onChannel, toOpener, result };
}

describe('the handshake with the opener', () => {
  it.each([
    [499, 1],
    [500, 2],
    [1999, 4],
  ])('has posted the code on both lines after %d ms %d times', async (ms, times) => {
    const { onChannel, toOpener, result } = handingOver(ms, { code: 'code-1' });
    expect(await result()).toBe('passing');
    expect(onChannel).toEqual(Array<object>(times).fill(code));
    expect(toOpener).toEqual(onChannel.map(named));
  });

  it.each(['the channel', 'the opener'])('ends at the answer over %s, and closes', async (over) => {
    const { line, window, popup, onChannel, toOpener, result } = handingOver(20_000, { code: 'code-1' });
    setTimeout(() => (over === 'the channel' ? line.post(received) : window.post(named(received))), 1200);
    expect(await result()).toBe('over');
    expect(popup.closedSelf()).toBe(true);
    expect([onChannel.length, toOpener.length]).toEqual([3, 3]);
  });

  it('ends after 10 s without an answer; the window closes by its button only', async () => {
    const { popup, saga, onChannel, result } = handingOver(60_000, { code: 'code-1' });
    let isClosed: boolean | undefined;
    setTimeout(() => {
      isClosed = popup.closedSelf();
      saga.dispatch(oauthWindowCloseRequested());
    }, 11_000);
    expect(await result()).toBe('over');
    expect(onChannel).toHaveLength(20);
    expect([isClosed, popup.closedSelf()]).toEqual([false, true]);
  });

  it.each<readonly [string, Partial<ProviderResponse>, string]>([
    ['another error', { error: 'server_error' }, 'server_error'],
    ['an error of another shape', { error: '<script>' }, 'other_error'],
    ['an error with capitals', { error: 'Access_Denied' }, 'other_error'],
    ['an error specific to a provider', { error: 'AADSTS65004' }, 'other_error'],
    ['our own error for a missing code', { error: 'no_code' }, 'other_error'],
    ['our own error for another issuer', { error: 'other_issuer' }, 'other_error'],
    ['an error far too long', { error: 'e'.repeat(65) }, 'other_error'],
    ['an empty error', { error: '' }, 'no_code'],
    ['neither code nor error', {}, 'no_code'],
    ['an empty code', { code: '' }, 'no_code'],
    ['an error with a code', { code: 'code-1', error: 'access_denied' }, 'access_denied'],
    ['an empty code with an error', { code: '', error: 'access_denied' }, 'access_denied'],
    [
      'an error of another issuer',
      { error: 'access_denied', issuer: 'https://evil.example' },
      'other_issuer',
    ],
  ])('reports %s', async (_name, response, error) => {
    const { onChannel, result } = handingOver(0, response);
    await result();
    expect(onChannel).toEqual([{ type: 'oauth/error', error }]);
  });
});

describe('an answer that names its issuer (RFC 9207)', () => {
  const google = 'http://google.payments.localhost:4000';
  const { google: provider, ...rest } = testConfig();
  const exact = { ...rest, google: { ...provider, issuer: 'https://accounts.example/google' } };

  it.each([
    [google, testConfig(), true],
    [`${google}/v2.0`, testConfig(), true],
    ['http://microsoft.payments.localhost:4000', testConfig(), false],
    ['https://google.payments.localhost:4000', testConfig(), false],
    [`${google}0`, testConfig(), false],
    [`${google}.evil.example`, testConfig(), false],
    ['google', testConfig(), false],
    ['', testConfig(), false],
    ['https://accounts.example/google', exact, true],
    ['https://accounts.example/google/', exact, false],
    ['https://accounts.example', exact, false],
    [google, exact, false],
  ])('%j', async (issuer, config, isAccepted) => {
    const { onChannel, result } = handingOver(0, { code: 'code-1', issuer }, config);
    await result();
    expect(onChannel).toEqual([isAccepted ? code : { type: 'oauth/error', error: 'other_issuer' }]);
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
