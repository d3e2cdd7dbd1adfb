/** @jest-environment node */
import { dropTrustedToken } from '@features/session/sessionCookies';
import { readTrustedToken, writeTrustedToken } from '@features/session/signInCookies';
import { testConfig, trustedToken, unsignedJwt } from '../../support/builders';
import { createFakeCookieJar } from '../../support/fakeCookieJar';
import { createFakeNotes } from '../../support/fakePorts';

const life = { kind: 'session' } as const;
const nameFor = (username: string) => `payments-test-session-trust-${username}`;
const open = () => ({
  cookies: createFakeCookieJar(),
  config: testConfig(),
  notes: { tab: createFakeNotes(), browser: createFakeNotes() },
});
const days = (count: number) => Math.floor(Date.now() / 1000) + count * 86_400;

describe('the trusted token of a user', () => {
  it.each(['ada', 'Ada Lovelace; Path=/', 'zoë@名.test', '=;,"\\ %41', '__proto__'])(
    'of %j is kept under their own name until its own exp, and dropped alone',
    (username) => {
      const deps = open();
      const token = trustedToken(days(20));
      expect(writeTrustedToken(deps, username, token)).toBe(true);
      expect(writeTrustedToken(deps, `${username}2`, trustedToken())).toBe(true);
      expect(deps.cookies.contents()[nameFor(username)]).toBe(token);
      expect(deps.cookies.expiryOf(nameFor(username))).toBe(days(20) * 1000);
      expect(readTrustedToken(deps, username)).toBe(token);
      dropTrustedToken(deps, username);
      expect(readTrustedToken(deps, username)).toBeUndefined();
      expect(readTrustedToken(deps, `${username}2`)).toBeDefined();
    },
  );

  it.each([
    ['empty', ''],
    ['no token', 'trusted'],
    ['without exp', unsignedJwt({ sub: 'ada' })],
    ['with an exp that is no time', unsignedJwt({ exp: 'tomorrow' })],
    ['over already', trustedToken(days(-1))],
    ['with blanks around it', ` ${trustedToken()}`],
  ])('is not kept when it is %s', (_kind, token) => {
    const deps = open();
    expect(writeTrustedToken(deps, 'ada', token)).toBe(false);
    expect(deps.cookies.contents()).toEqual({});
  });

  it('is not kept when the browser refuses the cookie', () => {
    const deps = open();
    deps.cookies.refuse(nameFor('ada'));
    expect(writeTrustedToken(deps, 'ada', trustedToken())).toBe(false);
  });

  it.each([
    ['empty', ''],
    ['with a control character', '\u0000'],
    ['with blanks', 'a b'],
  ])('%s is removed and not sent', (_kind, value) => {
    const deps = open();
    deps.cookies.write(nameFor('ada'), value, life);
    expect(readTrustedToken(deps, 'ada')).toBeUndefined();
    expect(deps.cookies.readAll(nameFor('ada'))).toEqual([]);
  });

  it('set a second time by a sibling host is removed and not sent', () => {
    const deps = open();
    writeTrustedToken(deps, 'ada', trustedToken());
    deps.cookies.toss(nameFor('ada'), trustedToken(days(99)));
    expect(readTrustedToken(deps, 'ada')).toBeUndefined();
    expect(deps.cookies.readAll(nameFor('ada'))).toEqual([]);
  });
});

describe('the trusted token of a user whose name is spelt in several ways', () => {
  const pairs = [
    ['ada', 'ADA'],
    ['ADA', 'ada'],
    [' Ada', 'ada'],
    ['ada', '\uff21\uff24\uff21'],
  ] as const;

  it.each(pairs)('kept for %j is found and dropped for %j', (one, other) => {
    const deps = open();
    const token = trustedToken();
    writeTrustedToken(deps, one, token);
    // As it was typed: the sibling applications read it.
    expect(deps.cookies.contents()).toEqual({ [nameFor(one)]: token });
    expect(readTrustedToken(deps, other)).toBe(token);
    expect(readTrustedToken(deps, 'adam')).toBeUndefined();
    dropTrustedToken(deps, other);
    expect(deps.cookies.contents()).toEqual({});
  });

  it.each(pairs)('kept for %j takes the place of the one for %j', (one, other) => {
    const deps = open();
    writeTrustedToken(deps, other, trustedToken(days(20)));
    const token = trustedToken(days(10));
    writeTrustedToken(deps, one, token);
    expect(deps.cookies.contents()).toEqual({ [nameFor(one)]: token });
  });

  it('is the one that lasts longest, where a sibling application wrote another', () => {
    const deps = open();
    const longest = trustedToken(days(20));
    deps.cookies.write(nameFor('ada'), trustedToken(days(10)), life);
    deps.cookies.write(nameFor('ADA'), longest, life);
    deps.cookies.write(nameFor('Ada'), 'a b', life);
    expect(readTrustedToken(deps, 'ada')).toBe(longest);
    expect(deps.cookies.readAll(nameFor('Ada'))).toEqual([]);
  });

  it('stays where the browser refuses another', () => {
    const deps = open();
    const token = trustedToken();
    writeTrustedToken(deps, 'ada', token);
    deps.cookies.refuse(nameFor('ADA'));
    expect(writeTrustedToken(deps, 'ADA', trustedToken(days(40)))).toBe(false);
    expect(readTrustedToken(deps, 'ADA')).toBe(token);
  });

  it('counts once among the eight', () => {
    const deps = open();
    for (let user = 1; user <= 8; user += 1) writeTrustedToken(deps, `user${String(user)}`, trustedToken());
    writeTrustedToken(deps, 'USER4', trustedToken(days(31)));
    expect(Object.keys(deps.cookies.contents())).toHaveLength(8);
  });
});

describe('the trusted tokens of a device', () => {
  it('are eight at most: the oldest goes, whatever else is in the jar', () => {
    const deps = open();
    deps.cookies.write('payments-test-session', 's', life);
    deps.cookies.write('ledger-session-trust-eve', 'theirs', life);
    for (let user = 1; user <= 8; user += 1) {
      // Out of order: the third is the oldest.
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

  it('make room by what cannot be read first', () => {
    const deps = open();
    deps.cookies.write(nameFor('broken'), 'broken', life);
    for (let user = 1; user <= 8; user += 1) writeTrustedToken(deps, `user${String(user)}`, trustedToken());
    expect(deps.cookies.readAll(nameFor('broken'))).toEqual([]);
    expect(readTrustedToken(deps, 'user1')).toBeDefined();
  });

  it('are not fewer for one who signs in again', () => {
    const deps = open();
    for (let user = 1; user <= 8; user += 1) writeTrustedToken(deps, `user${String(user)}`, trustedToken());
    writeTrustedToken(deps, 'user4', trustedToken(days(31)));
    expect(Object.keys(deps.cookies.contents())).toHaveLength(8);
  });
});
