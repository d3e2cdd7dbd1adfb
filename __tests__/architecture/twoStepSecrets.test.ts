import '../support/devToolsRecorder';
import { providerRequested } from '@features/auth/provider/providerAttempt.slice';
import { codeSubmitted, newCodeRequested } from '@features/auth/challenge/challenge.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { enrolmentMethodChosen, turnOffRequested } from '@features/mfa';
import { setupSignInRequested } from '@features/mfa/activated/activation.slice';
import {
  keyCopyRequested,
  phoneSubmitted,
  enrolmentCodeSubmitted,
} from '@features/mfa/enrolment/enrolment.slice';
import { ApiError } from '@shared/api/apiError';
import { linkFollowed } from '@shared/routing/location.slice';
import { answers } from '../support/builders';
import { findLeaks } from '../support/findLeaks';
import { enterUsername, pass, settle, signInWithPassword } from '../support/openApp';
import { now, openMarked, secrets, type MarkedTab } from './markedSecrets';

beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

const wrong = new ApiError('server', {
  status: 401,
  serverMessage: 'Incorrect Security or Verification Code',
});
const session = { token: secrets.session, refresh: secrets.refresh };
const entry = { country: 'US', text: '(202) 555-0143' } as const;
const number = { phone: '+12025550143', countryCode: 'US' } as const;

/** A wrong code, its dialog, another message, and then the right code. */
const enterCode = async ({ app, deps, act }: MarkedTab): Promise<void> => {
  deps.api.auth.token.mockRejectedValueOnce(wrong);
  await act(codeSubmitted({ code: secrets.wrongCode, trust: true }));
  app.answerDialog(true);
  await pass(1500);
  const { nextChallengeToken: authVerificationToken } = secrets;
  deps.api.auth.token.mockResolvedValueOnce(answers.smsChallenge({ authVerificationToken }));
  await act(newCodeRequested());
  deps.api.auth.token.mockResolvedValueOnce({ ...session, trustedToken: secrets.trusted });
  await act(codeSubmitted({ code: secrets.code, trust: true }));
};

const challenge = () => answers.smsChallenge({ authVerificationToken: secrets.challengeToken });

/** From the choice of a method to its end, with either proof. */
const setUp = async (
  tab: MarkedTab,
  method: 'sms' | 'qrcode',
  prove?: () => Promise<void>,
): Promise<void> => {
  const { app, deps, act } = tab;
  await act(enrolmentMethodChosen({ method }));
  await prove?.();
  if (method === 'sms') await act(phoneSubmitted({ entry, number }));
  else {
    await act(keyCopyRequested());
    await act(linkFollowed({ to: '/verification/u_1/' }));
  }
  deps.api.mfa.validateSetup.mockRejectedValueOnce(wrong);
  await act(enrolmentCodeSubmitted(secrets.wrongCode));
  app.answerDialog(true);
  await pass(1500);
  await act(enrolmentCodeSubmitted(secrets.code));
  expect(deps.navigation.address()).toBe(`/mfa-activated?method=${method}`);
};

const byPassword = ({ act }: MarkedTab) => act(identityPasswordSubmitted(secrets.password));
const byProvider = async ({ act, bringCode }: MarkedTab) => {
  await act(providerRequested('microsoft'));
  await bringCode();
};

const setUpMode = async (method: 'sms' | 'qrcode') => {
  const tab = await openMarked('/login');
  tab.deps.api.auth.token.mockResolvedValue({ mfaJWT: secrets.setUp, uid: 'u_1' });
  await signInWithPassword(tab.app, { password: secrets.password });
  expect(tab.cookiesWith(secrets.setUp)).toEqual(['payments-test-session-setup']);
  await setUp(tab, method);
  await tab.act(setupSignInRequested());
  return tab;
};

/** Each flow, and the secrets that its calls must have sent: otherwise the flow would prove nothing. */
const flows: Readonly<
  Record<string, () => Promise<readonly [MarkedTab, readonly (keyof typeof secrets)[]]>>
> = {
  'a second step after the password': async () => {
    const tab = await openMarked('/login');
    tab.deps.api.auth.token.mockResolvedValueOnce(challenge());
    await signInWithPassword(tab.app, { password: secrets.password });
    await enterCode(tab);
    return [tab, ['password', 'wrongCode', 'code', 'challengeToken', 'nextChallengeToken']];
  },
  'a second step after a provider': async () => {
    const tab = await openMarked('/login');
    tab.deps.api.auth.token.mockResolvedValueOnce(challenge());
    await enterUsername(tab.app);
    await tab.act(providerRequested('microsoft'));
    await tab.bringCode();
    await enterCode(tab);
    return [tab, ['providerCode', 'verifier', 'wrongCode', 'code', 'nextChallengeToken']];
  },
  'text messages set up, by password': async () => {
    const tab = await openMarked('/mfa-options', 'password');
    await setUp(tab, 'sms', () => byPassword(tab));
    return [tab, ['password', 'verificationToken', 'wrongCode', 'code', 'session']];
  },
  'an app set up, by a provider': async () => {
    const tab = await openMarked('/mfa-options', 'provider');
    await setUp(tab, 'qrcode', () => byProvider(tab));
    return [tab, ['providerCode', 'verifier', 'verificationToken', 'code', 'sessionOfProvider']];
  },
  'turned off, by password': async () => {
    const tab = await openMarked('/account-settings', 'password');
    await tab.act(turnOffRequested());
    tab.app.answerDialog(true);
    await settle();
    await byPassword(tab);
    expect(tab.deps.api.mfa.disable.mock.calls[0]?.[1]).toHaveProperty('password', secrets.password);
    return [tab, ['password', 'verificationToken', 'session']];
  },
  'turned off, by a provider': async () => {
    const tab = await openMarked('/account-settings', 'provider');
    await tab.act(turnOffRequested());
    tab.app.answerDialog(true);
    await settle();
    await byProvider(tab);
    expect(tab.deps.api.mfa.disable).toHaveBeenCalledTimes(1);
    return [tab, ['providerCode', 'verifier', 'verificationToken']];
  },
  'text messages set up in setup mode': async () => [await setUpMode('sms'), ['setUp', 'code']],
  'an app set up in setup mode': async () => [await setUpMode('qrcode'), ['setUp', 'code']],
};

/** The cookies that a secret may be written to (docs/behaviour.md#cookies); the others to none. */
const homes: Partial<Record<keyof typeof secrets, readonly string[]>> = {
  session: ['payments-test-session'],
  sessionOfProvider: ['payments-test-session'],
  refresh: ['payments-test-session', 'payments-test-session-refresh'],
  setUp: ['payments-test-session-setup'],
  trusted: ['payments-test-session-trust-ada@example.com'],
};

describe('two-step verification leaves no secret in an action, a state, the log, the history, an address or a cookie', () => {
  it.each(Object.entries(flows))('%s', async (_name, run) => {
    const [{ deps, cookiesWith }, carried] = await run();
    const calls = [...Object.values(deps.api.auth), ...Object.values(deps.api.mfa)].map(({ mock }) =>
      JSON.stringify(mock.calls),
    );
    for (const name of carried)
      expect([name, calls.join()]).toEqual([name, expect.stringContaining(secrets[name])]);

    expect(findLeaks(deps, Object.values(secrets))).toEqual([]);
    for (const [name, secret] of Object.entries(secrets))
      expect(homes[name as keyof typeof secrets] ?? []).toEqual(
        expect.arrayContaining([...cookiesWith(secret)]),
      );
    for (const step of ['challenge', 'verification', 'authenticatorKey'] as const)
      expect(deps.vault.get(step)).toBeUndefined();
  });
});
