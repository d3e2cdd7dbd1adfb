/** @jest-environment node */
import { dropOldMagicLinks } from '@features/session';
import type { MagicLinkResponse } from '@shared/api/decoders';
import { createHash } from 'node:crypto';
import { accessToken, answers, hosts, methods, type AccessTokenFacts } from '../../support/builders';
import { fakeDeps, type FakeDeps } from '../../support/fakeDeps';
import { openApp, pass, settle, signInWithPassword } from '../../support/openApp';
import { session, start } from './refresh/openSignedIn';

beforeEach(() => jest.useFakeTimers({ now: start }));

const hour = 3600;
const magicLink = (digit: string) => `${session}-${digit.repeat(64)}`;

/** A link that was opened so many seconds ago. */
const put = ({ cookies }: FakeDeps, digit: string, ago = 0, facts: Partial<AccessTokenFacts> = {}) => {
  const token = accessToken({ iat: start / 1000 - ago, ...facts });
  cookies.write(magicLink(digit), JSON.stringify({ token, refreshToken: `magic-${digit}` }));
};
/** The links that the browser keeps, by their digits. */
const kept = ({ cookies }: FakeDeps) =>
  cookies
    .names()
    .filter((name) => /-[0-9a-f]{64}$/.test(name))
    .map((name) => name.at(-1))
    .sort()
    .join('');

describe('of the magic links in a browser', () => {
  it.each<readonly [string, string, (deps: FakeDeps) => void]>([
    ['four stay', '1234', (deps) => ['1', '2', '3', '4'].forEach((digit) => put(deps, digit))],
    [
      'the newest four stay, in whichever order they were written',
      '1245',
      (deps) => {
        for (const [digit, ago] of [
          ['1', 3],
          ['2', 1],
          ['3', 9],
          ['4', 2],
          ['5', 4],
        ] as const)
          put(deps, digit, ago);
      },
    ],
    [
      'the ones written last stay if all are of one second',
      '3456',
      (deps) => ['1', '2', '3', '4', '5', '6'].forEach((digit) => put(deps, digit)),
    ],
    [
      'one whose access token has expired stays, because it can be refreshed',
      '1',
      (deps) => put(deps, '1', hour),
    ],
    ['one stays for a day', '1', (deps) => put(deps, '1', 24 * hour - 1)],
    [
      'one whose tokens have both expired goes',
      '2',
      (deps) => ['2', '1'].forEach((digit) => put(deps, digit, digit === '1' ? 24 * hour : 0)),
    ],
    [
      'one whose access token is valid for longer than a day stays',
      '1',
      (deps) => put(deps, '1', 30 * hour, { lifeSeconds: 40 * hour }),
    ],
    [
      'one that holds no session goes, and does not count',
      '2345',
      (deps) => {
        deps.cookies.write(magicLink('1'), 'cut off');
        deps.cookies.write(magicLink('6'), JSON.stringify({ token: 'x', refreshToken: 'y' }));
        for (const digit of ['2', '3', '4', '5']) put(deps, digit);
      },
    ],
    [
      'expired ones stay while the clock of the browser has not been compared with the service’s',
      '12',
      (deps) => {
        deps.storage.browser.write('clock-skew', null);
        for (const digit of ['1', '2']) put(deps, digit, 48 * hour);
      },
    ],
  ])('%s', (_name, expected, prepare) => {
    const deps = fakeDeps();
    prepare(deps);
    deps.cookies.write('payments-test-session-trust-ada', 'trusted');
    dropOldMagicLinks(deps);
    expect(kept(deps)).toBe(expected);
    expect(deps.cookies.contents()).toHaveProperty('payments-test-session-trust-ada');
  });
});

/** Six links of the last minute, and one of last week. */
const pile = (deps: FakeDeps, uid = 'u_1') => {
  put(deps, '0', 7 * 24 * hour, { uid });
  for (const digit of ['1', '2', '3', '4', '5', '6']) put(deps, digit, 60 - Number(digit), { uid });
};

describe('a browser with many magic links', () => {
  it.each([
    ['another one is opened', 0],
    ['one is opened that seems older, because the service’s clock was set back', hour],
  ])('keeps the newest four when %s', async (_name, ago) => {
    const deps = fakeDeps({ path: '/redirect/id-1' });
    pile(deps);
    const answer: MagicLinkResponse = {
      applicationUrl: hosts.ledger,
      token: accessToken({ iat: start / 1000 - ago }),
      refreshToken: 'r',
    };
    deps.api.auth.exchangeMagicLink.mockResolvedValue(answer);
    openApp(deps);
    await settle();
    const opened = createHash('sha256').update('id-1').digest('hex');
    expect(Object.keys(deps.cookies.contents()).sort()).toEqual(
      [magicLink('4'), magicLink('5'), magicLink('6'), `${session}-${opened}`].sort(),
    );
  });

  it('compares its clock with the service’s when a magic link is opened', async () => {
    const deps = fakeDeps({ path: '/redirect/id-1' });
    deps.storage.browser.write('clock-skew', null);
    pile(deps);
    // The browser's clock is two days ahead.
    const token = accessToken({ iat: start / 1000 - 48 * hour });
    deps.api.auth.exchangeMagicLink.mockResolvedValue({
      applicationUrl: hosts.ledger,
      token,
      refreshToken: 'r',
    });
    openApp(deps);
    await settle();
    expect(deps.storage.browser.read('clock-skew')).toBe(String(48 * hour * 1000));
  });

  it('keeps the newest four when /login opens', async () => {
    const deps = fakeDeps();
    pile(deps);
    openApp(deps);
    await pass(0);
    expect(kept(deps)).toBe('3456');
  });

  it.each([
    ['a session', answers.session({ uid: 'u_1' })],
    ['setup mode', answers.mustSetUpMfa({ uid: 'u_1' })],
  ])('keeps the newest four at a sign-in that begins %s', async (_name, answer) => {
    const deps = fakeDeps();
    deps.api.auth.methods.mockResolvedValue([methods.basic]);
    deps.api.auth.token.mockResolvedValue(answer);
    const app = openApp(deps);
    await settle();
    // Opened while the form waits.
    pile(deps);
    await signInWithPassword(app);
    expect(kept(deps)).toBe('3456');
  });
});
