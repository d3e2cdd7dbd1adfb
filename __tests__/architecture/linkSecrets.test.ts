import { recording } from '../support/devToolsRecorder';
import { copyRequested } from '@features/auth/links/oneTimeLink.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { forgotSubmitted, resendRequested } from '@features/password/forgot/forgot.slice';
import { newPasswordSubmitted } from '@features/password/save/newPassword.slice';
import { ApiError } from '@shared/api/apiError';
import { createHash } from 'node:crypto';
import { hosts } from '../support/builders';
import { findLeaks } from '../support/findLeaks';
import { pass, settle } from '../support/openApp';
import { now, openMarked, secrets, type MarkedTab } from './markedSecrets';

beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

type SecretName = keyof typeof secrets;

const refused = new ApiError('server', { status: 400, serverMessage: 'Refused' });
const name = { firstName: 'Ada', lastName: 'Lovelace' };

/** One that violates the rules, one that is rejected, and the right one, until the sign-in is shown. */
const save = async ({ act, deps }: MarkedTab, call: 'reset' | 'activate' | 'change'): Promise<void> => {
  const { unfitPassword, otherPassword, newPassword } = secrets;
  await act(newPasswordSubmitted({ password: unfitPassword, confirm: unfitPassword }, name));
  deps.api.password[call].mockRejectedValueOnce(refused);
  await act(newPasswordSubmitted({ password: newPassword, confirm: otherPassword }, name));
  await act(newPasswordSubmitted({ password: newPassword, confirm: newPassword }, name));
  await pass(2500);
  expect(deps.navigation.address()).toBe('/login');
  const recorded = JSON.stringify(recording.steps());
  for (const event of ['Submitted', 'Refused', 'Saved'])
    expect(recorded).toContain(`"type":"newPassword/newPassword${event}"`);
  expect(recorded).toContain('"secret":"[redacted]"');
};

const saved: readonly SecretName[] = ['newPassword', 'otherPassword'];

const openInvite = async () => {
  const tab = await openMarked(`/secret-key/${secrets.linkId}`);
  expect(tab.deps.vault.get('apiInvite')).toEqual({ apiKey: secrets.apiKey, apiSecret: secrets.apiSecret });
  await tab.act(copyRequested('apiKey'));
  tab.deps.clipboard.refuse();
  await tab.act(copyRequested('apiSecret'));
  return tab;
};

const hashedId = createHash('sha256').update(secrets.linkId).digest('hex');
const linkCookie = `payments-test-session-${hashedId}`;

const openMagicLink = async (answer: object, refusedCookie = ''): Promise<MarkedTab> => {
  const tab = await openMarked('/unauthorized');
  tab.deps.cookies.refuse(refusedCookie);
  tab.deps.api.auth.exchangeMagicLink.mockResolvedValue({
    token: secrets.linkToken,
    refreshToken: secrets.linkRefresh,
    ...answer,
  });
  tab.deps.navigation.visit(`/redirect/${secrets.linkId}`);
  await settle();
  return tab;
};

/** Each flow, and the secrets that its calls must have sent: otherwise the flow would prove nothing. */
const flows: Readonly<Record<string, () => Promise<readonly [MarkedTab, readonly SecretName[]]>>> = {
  'a forgotten password, in verify mode': async () => {
    const tab = await openMarked('/forgot-password?mode=verify', 'password');
    tab.deps.api.password.forgot.mockRejectedValueOnce(refused);
    await tab.act(forgotSubmitted('ada@example.com'));
    await tab.act(resendRequested());
    await tab.act(forgotSubmitted('ada@example.com'));
    expect(tab.deps.api.password.forgot).toHaveBeenCalledTimes(2);
    return [tab, []];
  },
  'a reset by link': async () => {
    const tab = await openMarked(`/reset-password/${secrets.linkId}`);
    await save(tab, 'reset');
    return [tab, [...saved, 'linkId']];
  },
  'a reset by query': async () => {
    const tab = await openMarked(`/reset?hash=${secrets.linkId}`, 'password');
    await save(tab, 'reset');
    return [tab, [...saved, 'linkId']];
  },
  'an activation': async () => {
    const tab = await openMarked(`/activate/${secrets.linkId}`);
    await save(tab, 'activate');
    return [tab, [...saved, 'linkId']];
  },
  'a change of the password': async () => {
    const tab = await openMarked('/reset-password-verify', 'password');
    await tab.act(identityPasswordSubmitted(secrets.password));
    await save(tab, 'change');
    return [tab, [...saved, 'password', 'session']];
  },
  'an API invitation': async () => {
    const tab = await openInvite();
    expect(tab.deps.clipboard.copied).toEqual([secrets.apiKey]);
    tab.deps.navigation.visit('/unauthorized');
    await settle();
    return [tab, ['linkId']];
  },
  'an expired link of each kind': async () => {
    const tab = await openMarked('/unauthorized');
    const { auth, users } = tab.deps.api;
    for (const call of [auth.exchangeMagicLink, users.apiInvite]) call.mockRejectedValue(refused);
    for (const path of ['redirect', 'secret-key']) {
      tab.deps.navigation.visit(`/${path}/${secrets.linkId}`);
      await settle();
    }
    return [tab, ['linkId']];
  },
  'a link too deep for its route': async () => {
    const tab = await openMarked('/unauthorized');
    tab.deps.navigation.visit(`/activate/${secrets.linkId}/more`);
    await settle();
    expect(tab.deps.navigation.address()).toBe('/login');
    return [tab, []];
  },
  'a magic link to an application': async () => {
    const tab = await openMagicLink({ applicationUrl: hosts.ledger });
    expect(tab.deps.navigation.leaves).toEqual([`${hosts.ledger}?magiclink=${hashedId}`]);
    for (const secret of [secrets.linkToken, secrets.linkRefresh])
      expect(tab.cookiesWith(secret)).toEqual([linkCookie]);
    return [tab, ['linkId']];
  },
  'a magic link whose cookie the browser refuses': async () => {
    const tab = await openMagicLink({ applicationUrl: hosts.ledger }, linkCookie);
    expect(tab.deps.navigation.address()).toBe('/unauthorized');
    expect(tab.deps.log.warnings).toHaveLength(1);
    return [tab, ['linkId']];
  },
};

const callsOf = ({ deps: { api } }: MarkedTab): string =>
  [api.auth, api.users, api.password]
    .flatMap((group) => Object.values<jest.Mock>(group))
    .map(({ mock }) => JSON.stringify(mock.calls))
    .join();

/** What is never put into a cookie. */
const neverInCookies = [
  ...(['password', 'unfitPassword', 'newPassword', 'otherPassword', 'verificationToken'] as const),
  ...(['linkId', 'apiKey', 'apiSecret'] as const),
];

describe('passwords and links leave no secret in an action, a state, the log, the history, an address or a cookie', () => {
  it.each(Object.entries(flows))('%s', async (_name, run) => {
    const [tab, carried] = await run();
    const calls = callsOf(tab);
    for (const secret of carried)
      expect([secret, calls]).toEqual([secret, expect.stringContaining(secrets[secret])]);

    expect(findLeaks(tab.deps, Object.values(secrets))).toEqual([]);
    for (const secret of neverInCookies)
      expect([secret, tab.cookiesWith(secrets[secret])]).toEqual([secret, []]);
    for (const step of ['verification', 'apiInvite'] as const)
      expect(tab.deps.vault.get(step)).toBeUndefined();
  });

  it('a magic link to a form: its id is passed on in the address, as intended, and appears nowhere else', async () => {
    const { deps, cookiesWith } = await openMagicLink({
      applicationUrl: `${hosts.login}/`,
      type: 'activate',
    });
    expect(deps.navigation.address()).toBe(`/activate/${secrets.linkId}`);
    expect(findLeaks(deps, Object.values(secrets))).toEqual([`/activate/${secrets.linkId}`]);
    for (const secret of [secrets.linkToken, secrets.linkRefresh, secrets.linkId])
      expect(cookiesWith(secret)).toEqual([]);
  });

  it('the API key and its secret are in the page’s memory only until the screen is left', async () => {
    const { deps } = await openInvite();
    deps.pageLife.emit('left');
    expect(deps.vault.get('apiInvite')).toBeUndefined();
    expect(findLeaks(deps, Object.values(secrets))).toEqual([]);
  });
});
