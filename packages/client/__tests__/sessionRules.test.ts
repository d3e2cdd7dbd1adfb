/** @jest-environment node */
import { decideEnd, failuresAfter, waitAfter } from '../src/eventRules';
import { isRefusalStatus } from '../src/refreshLimits';
import {
  decideAfter,
  decidePoll,
  decideSetupPoll,
  isNewToken,
  isOvertaken,
  isReplaced,
  judgeToken,
  missesRefresh,
  type Doubt,
  type PollDecision,
  type RefreshResult,
  type SetupDecision,
  type SetupPoll,
} from '../src/sessionRules';
import { decideOpening, tokenClock, type OpeningDecision, type TokenClock } from '../src/tokenClock';

type Stored = Parameters<typeof isReplaced>[0];

const iat = 1_800_000_000;
const facts = { uid: 'u_1', iat, exp: iat + 900 };
const present = (token = 'a', claims = facts) =>
  ({ kind: 'present', tokens: { token, refresh: `refresh-${token}` }, claims }) as const;
/** A time of the token's life, seconds after its issue. */
const at = (seconds: number) => (iat + seconds) * 1000;

/** The clock at this time of the token's life, compared with the service's or not. */
const measured = (seconds: number) => tokenClock('0', at(seconds));
const unmeasured = (seconds: number) => tokenClock(null, at(seconds));

describe('a page without a session', () => {
  it.each<readonly [string, Stored, number, OpeningDecision, OpeningDecision]>([
    ['a valid session', present(), 60, 'active', 'active'],
    ['one that is due', present(), 899, 'active', 'active'],
    ['one that has expired', present(), 900, 'expired', 'uncertain'],
    ['no session', { kind: 'none' }, 60, 'none', 'none'],
    ['a malformed cookie', { kind: 'malformed' }, 60, 'malformed', 'malformed'],
    ['a user without applications', { kind: 'noPersonas' }, 60, 'noPersonas', 'noPersonas'],
  ])('finds %s', (_found, stored, seconds, decision, byUnmeasured) => {
    expect(decideOpening(stored, measured(seconds))).toBe(decision);
    expect(decideOpening(stored, unmeasured(seconds))).toBe(byUnmeasured);
  });
});

describe('a poll of a page with a session', () => {
  const refused = {};
  const announced = { isAnnounced: true };

  it.each<readonly [string, TokenClock, boolean, Doubt | undefined, PollDecision]>([
    ['a token in the first half of its life', measured(60), false, undefined, 'wait'],
    ['half of the life', measured(450), false, undefined, 'refresh'],
    ['the last millisecond', measured(899.999), false, undefined, 'refresh'],
    ['the end', measured(900), false, undefined, 'expired'],
    ['the end by a clock that was not compared', unmeasured(900), false, undefined, 'refresh'],
    ['the end, in a page that was unable to refresh in time', measured(900), true, undefined, 'refresh'],
    ['offline in the first half', measured(60), true, undefined, 'wait'],
    ['a token issued in 5 s', measured(-5), false, undefined, 'refresh'],
    ['a token issued in less', measured(-4.999), false, undefined, 'wait'],

    ['a refused token of 10 s', measured(10), false, refused, 'refresh'],
    ['a younger one', measured(9.999), false, refused, 'wait'],
    ['a younger one whose end was announced', measured(1), false, announced, 'refresh'],
    ['a refused token that the cookie still holds', measured(60), false, { token: 'a' }, 'refresh'],
    ['a refused token that was replaced', measured(60), false, { token: 'z' }, 'wait'],
    ['an announced end of a replaced token', measured(60), false, { ...announced, token: 'z' }, 'wait'],
    ['a refused token that has expired', measured(900), false, refused, 'expired'],
  ])('%s', (_found, clock, hasMissed, doubt, decision) => {
    expect(decidePoll(present(), clock, hasMissed, doubt)).toBe(decision);
  });

  it.each<readonly [string, Stored, boolean, boolean]>([
    ['this user', present('b'), false, false],
    ['this user, besides setup mode', present('b'), true, false],
    ['another user', present('b', { ...facts, uid: 'u_2' }), false, true],
    ['no session', { kind: 'none' }, false, false],
    ['setup mode of another page', { kind: 'none' }, true, true],
    ['a malformed cookie besides setup mode', { kind: 'malformed' }, true, false],
  ])('finds %s in the place of the session', (_found, stored, isSetup, replaced) => {
    expect(isReplaced(stored, isSetup, 'u_1')).toBe(replaced);
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
    ['this user has signed in elsewhere', { stored: present() }, 'signedIn'],
    ['another user has signed in', { stored: present('b', { ...facts, uid: 'u_2' }) }, 'replaced'],
    ['an expired session is left', { stored: present('b', { ...facts, exp: iat + 60 }) }, 'wait'],
    ['the session cookie is malformed', { stored: { kind: 'malformed' } }, 'wait'],
  ])('%s', (_found, changes, decision) => {
    expect(decideSetupPoll({ ...usual, ...changes })).toBe(decision);
  });
});

describe('the result of a refresh', () => {
  it.each([
    ['holds the same token', present('a'), false],
    ['holds another one', present('b'), true],
    ['is gone', { kind: 'none' } as const, true],
    ['is malformed', { kind: 'malformed' } as const, true],
  ])('is overtaken unless the cookie %s', (_what, stored, overtaken) => {
    expect(isOvertaken(present('a'), stored)).toBe(overtaken);
  });

  it.each([
    ['of the same user', 'u_1', { ledger: [] }, 'refreshed'],
    ['of another user', 'u_2', { ledger: [] }, 'refused'],
    ['without applications', 'u_1', {}, 'noPersonas'],
  ])('is judged by the new token: %s', (_whose, uid, personas, verdict) => {
    expect(judgeToken(present(), { uid, personas })).toBe(verdict);
  });

  it('is a refusal with any 4xx that may not be retried', () => {
    const statuses = [0, 200, 302, 399, 400, 401, 403, 404, 407, 408, 409, 422, 428, 429, 430, 499, 500, 503];
    expect(statuses.filter(isRefusalStatus)).toEqual([400, 401, 403, 404, 407, 409, 422, 428, 430, 499]);
  });

  it.each<readonly [RefreshResult, boolean, boolean, string]>([
    ['refreshed', false, false, 'later'],
    ['refused', false, false, 'refused'],
    ['expired', true, true, 'expired'],
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

it.each([
  ['no session, because another host was faster', null, 'ended'],
  ['a token of the ended session', present('a'), 'ended'],
  ['one that was refreshed during the stream', present('b'), 'ended'],
  ['another token of this user', present('c'), 'doubted'],
  ['one of another user', present('c', { ...facts, uid: 'u_2' }), 'ignored'],
])('an announced end finds %s: %s', (_what, found, decision) => {
  expect(decideEnd(found, 'u_1', ['a', 'b'])).toBe(decision);
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
