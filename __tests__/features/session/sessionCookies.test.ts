/** @jest-environment node */
import {
  clearSession,
  readRememberedUsername,
  readSession,
  readSetup,
} from '@features/session/sessionCookies';
import { rememberUsername, writeSession, writeSetup } from '@features/session/signInCookies';
import { accessToken, testConfig, tokenPair } from '../../support/builders';
import { createFakeCookieJar } from '../../support/fakeCookieJar';

const session = 'payments-test-session';
const life = { kind: 'session' } as const;

const open = () => {
  const cookies = createFakeCookieJar();
  return { cookies, config: testConfig() };
};
const wrapped = (token: string, refresh = 'r') => JSON.stringify({ authenticated: { token, refresh } });

describe('the session cookie', () => {
  it('is read as it was written', () => {
    const deps = open();
    const tokens = tokenPair({ uid: 'u_7' });
    expect(readSession(deps)).toEqual({ kind: 'none' });
    expect(writeSession(deps, tokens)).toBe(true);
    expect(readSession(deps)).toMatchObject({ kind: 'present', tokens, claims: { uid: 'u_7' } });
  });

  it('is a contract with the sibling applications: these names, this JSON', () => {
    const deps = open();
    writeSession(deps, { token: 'T', refresh: 'R' });
    expect(deps.cookies.contents()).toEqual({
      'payments-test-session': '{"authenticated":{"token":"T","refresh":"R"}}',
      'payments-test-session-refresh': 'R',
    });
  });

  it.each([
    ['empty', ''],
    ['a word', 'true'],
    ['cut off', wrapped(accessToken()).slice(0, -4)],
    ['null', 'null'],
    ['a list', '[]'],
    ['another object', '{"token":"x"}'],
    ['the setup cookie’s form', '{"mfaToken":"x"}'],
    ['without its refresh', JSON.stringify({ authenticated: { token: accessToken() } })],
    ['a refresh that is a number', JSON.stringify({ authenticated: { token: accessToken(), refresh: 1 } })],
    ['a token that is none', wrapped('not-a-token')],
    ['a token of another family', wrapped('e30.e30.')],
  ])('is malformed: %s', (_name, value) => {
    const deps = open();
    deps.cookies.write(session, value, life);
    expect(readSession(deps)).toEqual({ kind: 'malformed' });
  });

  it('is malformed when a sibling host has set a second one with another value', () => {
    const deps = open();
    writeSession(deps, tokenPair());
    deps.cookies.toss(session, wrapped(accessToken({ uid: 'u_evil' })));
    expect(readSession(deps)).toEqual({ kind: 'malformed' });
  });

  it('is one session when it arrives twice with the same value', () => {
    const deps = open();
    const tokens = tokenPair();
    writeSession(deps, tokens);
    deps.cookies.toss(session, JSON.stringify({ authenticated: tokens }));
    expect(readSession(deps)).toMatchObject({ kind: 'present', tokens });
  });

  it('is cleared together with the refresh cookie, doubled or not; all other cookies stay', () => {
    const deps = open();
    writeSession(deps, tokenPair());
    deps.cookies.toss(session, 'second');
    deps.cookies.write('payments-test-session-trust-ada', 't', life);
    deps.cookies.write('payments-test-username', 'ada', life);
    clearSession(deps);
    expect(readSession(deps)).toEqual({ kind: 'none' });
    expect(Object.keys(deps.cookies.contents()).sort()).toEqual([
      'payments-test-session-trust-ada',
      'payments-test-username',
    ]);
  });

  it.each([session, `${session}-refresh`])(
    'is removed whole when the browser refuses %s, so that no spent refresh token is replayed',
    (refused) => {
      const deps = open();
      writeSession(deps, tokenPair());
      deps.cookies.refuse(refused);
      expect(writeSession(deps, tokenPair())).toBe(false);
      expect(deps.cookies.contents()).toEqual({});
    },
  );

  it('over 4,096 bytes is refused and removed, one byte less is kept', () => {
    const deps = open();
    const fill = (size: number) => ({ token: 'x'.repeat(size), refresh: 'r' });
    let size = 3000;
    while (writeSession(deps, fill(size))) size += 1;
    expect(deps.cookies.contents()).toEqual({});
    expect(writeSession(deps, fill(size - 1))).toBe(true);
    const [value = ''] = deps.cookies.readAll(session);
    expect(value).toContain('x'.repeat(size - 1));
  });

  it('is in memory no more once it is gone', () => {
    const deps = open();
    const tokens = tokenPair();
    writeSession(deps, tokens);
    const before = readSession(deps);
    expect(readSession(deps)).toBe(before);
    clearSession(deps);
    readSession(deps);
    writeSession(deps, tokens);
    // What was kept would be handed out again; what is decoded anew is another object.
    expect(readSession(deps)).not.toBe(before);
    expect(readSession(deps)).toEqual(before);
  });

  it('is not there when cookies are switched off', () => {
    const deps = open();
    deps.cookies.switchOff();
    expect(writeSession(deps, tokenPair())).toBe(false);
    expect(readSession(deps)).toEqual({ kind: 'none' });
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

  it.each([undefined, '', 'x', '{}', '{"mfaToken":1}', '{"mfaToken":"x"}'])(
    '%j is no setup session',
    (value) => {
      const deps = open();
      if (value !== undefined) deps.cookies.write('payments-test-session-setup', value, life);
      expect(readSetup(deps)).toBeNull();
    },
  );

  it('set a second time by a sibling host is no setup session', () => {
    const deps = open();
    writeSetup(deps, accessToken());
    deps.cookies.toss(
      'payments-test-session-setup',
      JSON.stringify({ mfaToken: accessToken({ uid: 'u_evil' }) }),
    );
    expect(readSetup(deps)).toBeNull();
  });
});

describe('the remembered username', () => {
  it.each(['ada', 'Ada Lovelace; Path=/', 'zoë@名.test', '=;,"\\ %41', '__proto__'])(
    '%j is kept as it was typed',
    (username) => {
      const deps = open();
      rememberUsername(deps, username);
      expect(readRememberedUsername(deps)).toBe(username);
      rememberUsername(deps, null);
      expect(readRememberedUsername(deps)).toBe('');
    },
  );
});
