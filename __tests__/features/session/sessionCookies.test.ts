/** @jest-environment node */
import {
  clearSession,
  dropTrustedToken,
  readRememberedUsername,
  readSession,
  readSetup,
} from '@features/session/sessionCookies';
import {
  readTrustedToken,
  rememberUsername,
  writeSession,
  writeSetup,
  writeTrustedToken,
} from '@features/session/signInCookies';
import { accessToken, tokenPair, trustedToken, unsignedJwt } from '../../support/builders';
import { fakeDeps } from '../../support/fakeDeps';
import { session, sessionCookie } from '../../support/sessionCookies';

const open = () => fakeDeps();
const odd = ['ada', 'Ada Lovelace; Path=/', 'zoë@名.test', '=;,"\\ %41', '__proto__'];
const wrapped = (token: string, refresh = 'r') => sessionCookie({ token, refresh });

describe('the session cookie', () => {
  it('is read as it was written', () => {
    const deps = open();
    const tokens = tokenPair({ uid: 'u_7' });
    expect(readSession(deps)).toEqual({ kind: 'none' });
    expect(writeSession(deps, tokens)).toBe(true);
    expect(readSession(deps)).toMatchObject({ kind: 'present', tokens, claims: { uid: 'u_7' } });
  });

  it.each([
    ['empty', ''],
    ['a word', 'true'],
    ['truncated', wrapped(accessToken()).slice(0, -4)],
    ['null', 'null'],
    ['a list', '[]'],
    ['another object', '{"token":"x"}'],
    ['the setup cookie’s form', '{"mfaToken":"x"}'],
    ['without its refresh', JSON.stringify({ authenticated: { token: accessToken() } })],
    ['a refresh that is a number', JSON.stringify({ authenticated: { token: accessToken(), refresh: 1 } })],
    ['an invalid token', wrapped('not-a-token')],
    ['a token without our claims', wrapped('e30.e30.')],
  ])('is malformed: %s', (_name, value) => {
    const deps = open();
    deps.cookies.write(session, value);
    expect(readSession(deps)).toEqual({ kind: 'malformed' });
  });

  it('is malformed when a sibling host has set a second one with another value', () => {
    const deps = open();
    writeSession(deps, tokenPair());
    deps.cookies.toss(session, wrapped(accessToken({ uid: 'u_evil' })));
    expect(readSession(deps)).toEqual({ kind: 'malformed' });
  });

  it('is valid when it arrives twice with the same value', () => {
    const deps = open();
    const tokens = tokenPair();
    writeSession(deps, tokens);
    deps.cookies.toss(session, sessionCookie(tokens));
    expect(readSession(deps)).toMatchObject({ kind: 'present', tokens });
  });

  it('is removed together with the refresh cookie, duplicated or not; all other cookies stay', () => {
    const deps = open();
    writeSession(deps, tokenPair());
    deps.cookies.toss(session, 'second');
    deps.cookies.write('payments-test-session-trust-ada', 't');
    deps.cookies.write('payments-test-username', 'ada');
    clearSession(deps);
    expect(readSession(deps)).toEqual({ kind: 'none' });
    expect(Object.keys(deps.cookies.contents()).sort()).toEqual([
      'payments-test-session-trust-ada',
      'payments-test-username',
    ]);
  });

  it.each([session, `${session}-refresh`])('is removed completely when the browser refuses %s', (refused) => {
    const deps = open();
    writeSession(deps, tokenPair());
    deps.cookies.refuse(refused);
    expect(writeSession(deps, tokenPair())).toBe(false);
    expect(deps.cookies.contents()).toEqual({});
  });
});

describe('the setup cookie', () => {
  it('is read as it was written', () => {
    const deps = open();
    const mfaToken = accessToken({ isMfaSetup: true });
    expect(writeSetup(deps, mfaToken)).toBe(true);
    expect(deps.cookies.contents()).toEqual({ 'payments-test-session-setup': JSON.stringify({ mfaToken }) });
    expect(readSetup(deps)).toMatchObject({ mfaToken, claims: { isMfaSetup: true } });
  });

  it.each([undefined, '', 'x', '{}', '{"mfaToken":1}', '{"mfaToken":"x"}'])('%j is no set-up', (value) => {
    const deps = open();
    if (value !== undefined) deps.cookies.write('payments-test-session-setup', value);
    expect(readSetup(deps)).toBeNull();
  });

  it('set a second time by a sibling host is not a setup session', () => {
    const deps = open();
    writeSetup(deps, accessToken());
    deps.cookies.toss(
      'payments-test-session-setup',
      JSON.stringify({ mfaToken: accessToken({ uid: 'u_evil' }) }),
    );
    expect(readSetup(deps)).toBeNull();
  });
});

it.each(odd)('the remembered username %j is stored as it was typed', (username) => {
  const deps = open();
  rememberUsername(deps, username);
  expect(readRememberedUsername(deps)).toBe(username);
  rememberUsername(deps, null);
  expect(readRememberedUsername(deps)).toBe('');
});

const nameFor = (username: string) => `payments-test-session-trust-${username}`;
const days = (count: number) => Math.floor(Date.now() / 1000) + count * 86_400;

describe('the trusted token of a user', () => {
  it.each(odd)('of %j is stored under this username until its exp, and removed alone', (username) => {
    const deps = open();
    const end = days(20);
    const token = trustedToken(end);
    expect(writeTrustedToken(deps, username, token)).toBe(true);
    expect(writeTrustedToken(deps, `${username}2`, trustedToken())).toBe(true);
    expect(deps.cookies.contents()[nameFor(username)]).toBe(token);
    expect(deps.cookies.expiryOf(nameFor(username))).toBe(end * 1000);
    expect(readTrustedToken(deps, username)).toBe(token);
    dropTrustedToken(deps, username);
    expect(readTrustedToken(deps, username)).toBeUndefined();
    expect(readTrustedToken(deps, `${username}2`)).toBeDefined();
  });

  it.each([
    ['empty', ''],
    ['no token', 'trusted'],
    ['without exp', unsignedJwt({ sub: 'ada' })],
    ['with an exp that is not a time', unsignedJwt({ exp: 'tomorrow' })],
    ['expired already', trustedToken(days(-1))],
    ['with surrounding spaces', ` ${trustedToken()}`],
  ])('is not stored when it is %s', (_kind, token) => {
    const deps = open();
    expect(writeTrustedToken(deps, 'ada', token)).toBe(false);
    expect(deps.cookies.contents()).toEqual({});
  });

  it('is stored until the last year that browsers read, if it expires later', () => {
    const deps = open();
    expect(writeTrustedToken(deps, 'ada', trustedToken(8e12))).toBe(true);
    expect(deps.cookies.expiryOf(nameFor('ada'))).toBe(Date.UTC(9999, 11, 31, 23, 59, 59));
  });

  it('is reported when the browser refuses the cookie', () => {
    const deps = open();
    deps.cookies.refuse(nameFor('ada'));
    expect(writeTrustedToken(deps, 'ada', trustedToken())).toBe(false);
  });

  it.each([
    ['empty', '', null],
    ['with a control character', '\u0000', null],
    ['with spaces', 'a b', null],
    ['set a second time by a sibling host', trustedToken(), trustedToken(days(99))],
  ])('%s is removed and not sent', (_kind, value, second) => {
    const deps = open();
    deps.cookies.write(nameFor('ada'), value);
    if (second !== null) deps.cookies.toss(nameFor('ada'), second);
    expect(readTrustedToken(deps, 'ada')).toBeUndefined();
    expect(deps.cookies.readAll(nameFor('ada'))).toEqual([]);
  });
});

describe('the trusted token of a username with several spellings', () => {
  const pairs = [
    ['ada', 'ADA'],
    ['ADA', 'ada'],
    [' Ada', 'ada'],
    ['ada', '\uff21\uff24\uff21'],
  ] as const;

  it.each(pairs)('stored for %j is found and removed for %j', (one, other) => {
    const deps = open();
    const token = trustedToken();
    writeTrustedToken(deps, one, token);
    // As typed: the sibling applications read it.
    expect(deps.cookies.contents()).toEqual({ [nameFor(one)]: token });
    expect(readTrustedToken(deps, other)).toBe(token);
    expect(readTrustedToken(deps, 'adam')).toBeUndefined();
    dropTrustedToken(deps, other);
    expect(deps.cookies.contents()).toEqual({});
  });

  it.each(pairs)('stored for %j replaces the one for %j', (one, other) => {
    const deps = open();
    writeTrustedToken(deps, other, trustedToken(days(20)));
    const token = trustedToken(days(10));
    writeTrustedToken(deps, one, token);
    expect(deps.cookies.contents()).toEqual({ [nameFor(one)]: token });
  });

  it('is the one that expires last, if a sibling application wrote another', () => {
    const deps = open();
    const longest = trustedToken(days(20));
    deps.cookies.write(nameFor('ada'), trustedToken(days(10)));
    deps.cookies.write(nameFor('ADA'), longest);
    deps.cookies.write(nameFor('Ada'), 'a b');
    expect(readTrustedToken(deps, 'ada')).toBe(longest);
    expect(deps.cookies.readAll(nameFor('Ada'))).toEqual([]);
  });

  it('stays when the browser refuses another', () => {
    const deps = open();
    const token = trustedToken();
    writeTrustedToken(deps, 'ada', token);
    deps.cookies.refuse(nameFor('ADA'));
    expect(writeTrustedToken(deps, 'ADA', trustedToken(days(40)))).toBe(false);
    expect(readTrustedToken(deps, 'ADA')).toBe(token);
  });
});

describe('the trusted tokens of a device', () => {
  it('are eight at most: the one that expires first is removed, whatever else is stored', () => {
    const deps = open();
    deps.cookies.write('payments-test-session', 's');
    deps.cookies.write('ledger-session-trust-eve', 'theirs');
    for (let user = 1; user <= 8; user += 1) {
      // Out of order: the third expires first.
      writeTrustedToken(deps, `user${String(user)}`, trustedToken(days(user === 3 ? 5 : 10 + user)));
    }
    expect(readTrustedToken(deps, 'user3')).toBeDefined();
    writeTrustedToken(deps, 'user9', trustedToken(days(1)));
    const kept = Object.keys(deps.cookies.contents());
    expect(kept.filter((name) => name.startsWith(nameFor('')))).toEqual(
      [1, 2, 4, 5, 6, 7, 8, 9].map((user) => nameFor(`user${String(user)}`)),
    );
    expect(kept).toEqual(expect.arrayContaining(['payments-test-session', 'ledger-session-trust-eve']));
  });

  it('are removed first if they cannot be read', () => {
    const deps = open();
    deps.cookies.write(nameFor('broken'), 'broken');
    for (let user = 1; user <= 8; user += 1) writeTrustedToken(deps, `user${String(user)}`, trustedToken());
    expect(deps.cookies.readAll(nameFor('broken'))).toEqual([]);
    expect(readTrustedToken(deps, 'user1')).toBeDefined();
  });

  it.each(['user4', 'USER4'])('stay the same number when %s signs in again', (username) => {
    const deps = open();
    for (let user = 1; user <= 8; user += 1) writeTrustedToken(deps, `user${String(user)}`, trustedToken());
    writeTrustedToken(deps, username, trustedToken(days(31)));
    expect(Object.keys(deps.cookies.contents())).toHaveLength(8);
  });
});
