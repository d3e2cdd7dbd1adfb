/** @jest-environment node */
import { failuresAfter, waitAfter } from '../src/eventTiming';
import { isRefusalStatus } from '../src/refreshLimits';
import {
  decideAfter,
  decidePoll,
  decideSetupPoll,
  isNewToken,
  isOvertaken,
  judgeToken,
  missesRefresh,
  type Poll,
  type PollDecision,
  type RefreshResult,
  type SetupDecision,
  type SetupPoll,
} from '../src/sessionRules';
import { tokenClock } from '../src/tokenClock';

const iat = 1_800_000_000;
const facts = { uid: 'u_1', iat, exp: iat + 900 };
const held = (token = 'a', claims = facts) =>
  ({ kind: 'present', tokens: { token, refresh: `refresh-${token}` }, claims }) as const;
/** A time of the token's life, seconds after its issue. */
const at = (seconds: number) => (iat + seconds) * 1000;

describe('a poll of a page with a session', () => {
  const usual: Poll = {
    ...{ stored: held(), isSetup: false, uid: 'u_1', now: at(60), hasMissed: false },
  };
  const refused = {};
  const announced = { isAnnounced: true };

  it.each<readonly [string, Partial<Poll>, PollDecision]>([
    ['a token in the first half of its life', {}, 'wait'],
    ['half of the life', { now: at(450) }, 'refresh'],
    ['the last millisecond', { now: at(900) - 1 }, 'refresh'],
    ['the end', { now: at(900) }, 'expired'],
    ['the end, in a page that was unable to refresh in time', { now: at(900), hasMissed: true }, 'refresh'],
    ['offline in the first half', { hasMissed: true }, 'wait'],
    ['a token issued in 5 s', { now: at(-5) }, 'refresh'],
    ['a token issued in less', { now: at(-4.999) }, 'wait'],

    ['no session', { stored: { kind: 'none' } }, 'ended'],
    ['a malformed cookie', { stored: { kind: 'malformed' } }, 'ended'],
    ['a user without applications', { stored: { kind: 'noPersonas' } }, 'ended'],
    ['setup mode of another page', { stored: { kind: 'none' }, isSetup: true }, 'replaced'],
    ['a malformed cookie besides setup mode', { stored: { kind: 'malformed' }, isSetup: true }, 'ended'],
    ['a session besides setup mode', { isSetup: true }, 'wait'],
    ['another user', { uid: 'u_2' }, 'replaced'],
    ['another user with an expired token', { uid: 'u_2', now: at(900) }, 'replaced'],

    ['a refused token of 10 s', { doubt: refused, now: at(10) }, 'refresh'],
    ['a younger one', { doubt: refused, now: at(9.999) }, 'wait'],
    ['a younger one whose end was announced', { doubt: announced, now: at(1) }, 'refresh'],
    ['a refused token that the cookie still holds', { doubt: { ...refused, token: 'a' } }, 'refresh'],
    ['a refused token that was replaced', { doubt: { ...refused, token: 'z' } }, 'wait'],
    ['an announced end of a token that was replaced', { doubt: { ...announced, token: 'z' } }, 'wait'],
  ])('%s', (_found, changes, decision) => {
    expect(decidePoll({ ...usual, ...changes })).toBe(decision);
  });

  it('follows whoever signs in, in an application', () => {
    const { uid: _shown, ...rest } = usual;
    expect(decidePoll({ ...rest, stored: held('b', { ...facts, uid: 'u_2' }) })).toBe('wait');
  });
});

it.each([
  ['online, with a valid token', true, false, true, 60_000, false],
  ['offline', false, false, false, 0, true],
  ['expired in a page that polled all the time', true, true, false, 20_000, false],
  ['expired after lost time', true, true, false, 20_001, true],
  ['expired, and unable to refresh before', true, true, true, 0, true],
])('a page was unable to refresh in time: %s', (_case, isOnline, isExpired, hadMissed, sinceMs, missed) => {
  expect(missesRefresh(isOnline, isExpired, hadMissed, sinceMs)).toBe(missed);
});

it.each([
  ['the same', facts, false],
  ['issued later', { ...facts, iat: iat + 1 }, true],
  ['with another end', { ...facts, exp: iat + 901 }, true],
])('a token is adopted if it is not %s', (_what, found, isNew) => {
  expect(isNewToken(found, facts)).toBe(isNew);
});

describe('a poll of setup mode', () => {
  const clock = tokenClock('0', at(60));
  const usual: SetupPoll = {
    ...{ stored: { kind: 'none' }, setup: { claims: facts }, uid: 'u_1', clock },
    ...{ isRestored: false, isRefused: false },
  };

  it.each<readonly [string, Partial<SetupPoll>, SetupDecision]>([
    ['nothing has changed', {}, 'wait'],
    ['the page comes back from the back/forward cache', { isRestored: true }, 'replaced'],
    ['the token was refused', { isRefused: true }, 'refused'],
    ['the token has expired', { clock: tokenClock('0', at(900)) }, 'expired'],
    ['the token seems expired by an unmeasured clock', { clock: tokenClock(null, at(900)) }, 'wait'],
    ['the cookie is gone', { setup: null }, 'missing'],
    ['another user is in setup mode', { uid: 'u_2' }, 'replaced'],
    ['this user has signed in elsewhere', { stored: held() }, 'signedIn'],
    ['another user has signed in', { stored: held('b', { ...facts, uid: 'u_2' }) }, 'replaced'],
    ['an expired session is left', { stored: held('b', { ...facts, exp: iat + 60 }) }, 'wait'],
    ['the session cookie is malformed', { stored: { kind: 'malformed' } }, 'wait'],
  ])('%s', (_found, changes, decision) => {
    expect(decideSetupPoll({ ...usual, ...changes })).toBe(decision);
  });
});

describe('the result of a refresh', () => {
  it.each([
    ['holds the same token', held('a'), false],
    ['holds another one', held('b'), true],
    ['is gone', { kind: 'none' } as const, true],
    ['is malformed', { kind: 'malformed' } as const, true],
  ])('is overtaken unless the cookie %s', (_what, stored, overtaken) => {
    expect(isOvertaken(held('a'), stored)).toBe(overtaken);
  });

  it.each([
    ['of the same user', 'u_1', { ledger: [] }, 'refreshed'],
    ['of another user', 'u_2', { ledger: [] }, 'otherUser'],
    ['without applications', 'u_1', {}, 'noPersonas'],
  ])('is judged by the new token: %s', (_whose, uid, personas, verdict) => {
    expect(judgeToken(held(), { uid, personas })).toBe(verdict);
  });

  it('is a refusal with any 4xx that may not be retried', () => {
    const statuses = [0, 200, 302, 399, 400, 401, 403, 404, 407, 408, 409, 422, 428, 429, 430, 499, 500, 503];
    expect(statuses.filter(isRefusalStatus)).toEqual([400, 401, 403, 404, 407, 409, 422, 428, 430, 499]);
  });

  it.each<readonly [RefreshResult, boolean, boolean, string]>([
    ['refreshed', false, false, 'later'],
    ['refused', false, false, 'refused'],
    ['otherUser', false, false, 'refused'],
    ['noPersonas', false, false, 'noPersonas'],
    ['failed', false, true, 'later'],
    ['failed', true, false, 'expired'],
    ['busy', true, false, 'later'],
    ['busy', true, true, 'soon'],
    ['overtaken', true, false, 'later'],
    ['overtaken', true, true, 'soon'],
    ['offline', true, true, 'later'],
    ['pausing', true, true, 'later'],
  ])('%s, last try %s, awaited %s: %s', (result, isLast, isAwaited, next) => {
    expect(decideAfter(result, isLast, isAwaited)).toBe(next);
  });
});

it('an event stream that ends is opened again after 1 s to 60 s, half of it random', () => {
  const waits = [0, 1, 2, 3, 7, 20].map((failures) => [waitAfter(failures, 0), waitAfter(failures, 1)]);
  expect(waits).toEqual([
    [500, 1000],
    [500, 1000],
    [1000, 2000],
    [2000, 4000],
    [30_000, 60_000],
    [30_000, 60_000],
  ]);
  expect(failuresAfter(3, 200, 10_001)).toBe(0);
  expect(failuresAfter(3, 200, 10_000)).toBe(4);
  expect(failuresAfter(3, 503, 60_000)).toBe(4);
});
