import { recording } from '../support/devToolsRecorder';
import { codeSubmitted, newCodeRequested } from '@features/auth/challenge/challenge.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { setupMethodChosen } from '@features/mfa';
import { phoneSubmitted, setupCodeSubmitted } from '@features/mfa/setup/setup.slice';
import { ApiError } from '@shared/api/apiError';
import { linkFollowed } from '@shared/routing/location.slice';
import { act, screen } from '@testing-library/react';
import { accessToken, answers, methods, severalPersonas, tokenPair } from '../support/builders';
import { fakeDeps } from '../support/fakeDeps';
import { pass, signInWithPassword } from '../support/openApp';
import { openRecorded } from './openRecorded';
import { stepAfter } from './watchPorts';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

const wrong = new ApiError('server', { status: 401 });

const heading = (level: 1 | 2, name: string) => screen.findByRole('heading', { level, name });

describe('jumping through a recorded set-up in Redux DevTools', () => {
  const openOptions = async () => {
    const deps = fakeDeps({ path: '/mfa-options' });
    const tokens = tokenPair({ personas: severalPersonas });
    deps.cookies.write('payments-test-session', JSON.stringify({ authenticated: tokens }), {
      kind: 'session',
    });
    deps.cookies.write('payments-test-session-refresh', tokens.refresh, { kind: 'session' });
    deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
    deps.api.mfa.addPhone.mockResolvedValue({ lastFourPhone: '0143' });
    deps.api.mfa.addAuthenticator.mockResolvedValue({
      code: 'JBSWY3DPEHPK3PXP',
      url: 'otpauth://totp/x?secret=J',
    });
    deps.api.mfa.authyInfo.mockResolvedValue({ phoneNumber: 'XXX-XXX-0143' });
    return { deps, ...(await openRecorded(deps)) };
  };

  it('by text message changes every screen, and nothing else', async () => {
    const tab = await openOptions();
    tab.deps.api.mfa.validateSetup.mockRejectedValueOnce(wrong).mockResolvedValueOnce(undefined);
    await tab.act(setupMethodChosen({ method: 'sms' }));
    await tab.act(identityPasswordSubmitted('Corr3ct-horse'));
    const entry = { country: 'US', text: '(202) 555-0143' } as const;
    await tab.act(phoneSubmitted({ entry, number: { phone: '+12025550143', countryCode: 'US' } }));
    await tab.act(setupCodeSubmitted('111111'));
    act(() => tab.app.answerDialog(true));
    await act(() => pass(1500));
    await tab.act(setupCodeSubmitted('222222'));
    await heading(1, '2-Step Verification is on');
    expect(tab.calls).toContain('deps.api.mfa.validateSetup');

    await tab.jump(stepAfter('setup/setupCodeRejected'));
    expect(await heading(2, 'Enter the verification code')).toBeVisible();
    expect(screen.getByText(/phone number ending in 0143/)).toBeVisible();
    expect(screen.getAllByRole('textbox')[0]).toBeInvalid();
    await tab.jump(stepAfter('verification/verifyIdentityEntered'));
    expect(await heading(1, 'Hi Ada')).toBeVisible();
    await tab.jump(stepAfter('setup/setupStepEntered'));
    expect(await heading(2, "Let's set up your phone")).toBeVisible();
    await tab.jump(stepAfter('setup/setupMethodChosen') - 1);
    expect(screen.getByRole('button', { name: /^Authenticator App/ })).toBeVisible();
    await tab.jump(recording.steps().length - 1);
    expect(await heading(1, '2-Step Verification is on')).toBeVisible();
    expect(screen.getByText('Your phone number ends in 0143.')).toBeVisible();
  });

  it('by app shows no key that was dropped', async () => {
    const tab = await openOptions();
    tab.deps.api.mfa.validateSetup.mockResolvedValue(undefined);
    await tab.act(setupMethodChosen({ method: 'qrcode' }));
    await tab.act(identityPasswordSubmitted('Corr3ct-horse'));
    expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible();
    await tab.act(linkFollowed({ to: '/verification/u_1/' }));
    await tab.act(setupCodeSubmitted('222222'));
    await heading(1, '2-Step Verification is on');

    await tab.jump(stepAfter('setup/enrolmentReceived'));
    expect(await screen.findByText('The QR code is no longer held.')).toBeVisible();
    expect(screen.queryByRole('img', { name: /QR code/ })).not.toBeInTheDocument();
  });

  it('in setup mode does not restart the 180 s', async () => {
    const deps = fakeDeps({ path: '/mfa-options' });
    const setup = JSON.stringify({ mfaToken: accessToken({ isMfaSetup: true }) });
    deps.cookies.write('payments-test-session-setup', setup, { kind: 'session' });
    const tab = await openRecorded(deps);
    await tab.act(setupMethodChosen({ method: 'sms' }));
    await act(() => pass(150_000));
    expect(screen.getByText(/will expire in 30 seconds/)).toBeVisible();
    await tab.jump(stepAfter('verification/verificationStarted'));
    expect(screen.queryByText(/will expire in 30 seconds/)).not.toBeInTheDocument();
    await act(() => pass(30_000));
    expect(deps.navigation.leaves).toHaveLength(1);
  });
});

it('jumping through a recorded second step changes the boxes, and nothing else', async () => {
  const deps = fakeDeps();
  deps.api.auth.methods.mockResolvedValue([methods.basic]);
  deps.api.auth.token.mockResolvedValueOnce(answers.smsChallenge()).mockRejectedValueOnce(wrong);
  const tab = await openRecorded(deps);
  await act(() => signInWithPassword(tab.app));
  await tab.act(codeSubmitted({ code: '111111', trust: false }));
  act(() => tab.app.answerDialog(true));
  await act(() => pass(1500));
  deps.api.auth.token.mockResolvedValueOnce({});
  await tab.act(newCodeRequested());
  deps.api.auth.token.mockResolvedValueOnce(answers.session({ personas: severalPersonas }));
  await tab.act(codeSubmitted({ code: '222222', trust: false }));
  await heading(1, 'Account Settings');

  await tab.jump(stepAfter('challenge/codeRejected'));
  await heading(1, 'Enter MFA Code');
  expect(screen.getAllByRole('textbox')[0]).toBeInvalid();
  await tab.jump(stepAfter('challenge/newCodeSent'));
  expect(screen.getByText('A new six digit code has been sent to your phone')).toBeVisible();
  await tab.jump(recording.steps().length - 1);
  expect(await heading(1, 'Account Settings')).toBeVisible();
});
