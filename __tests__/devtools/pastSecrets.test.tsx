import { recording } from '../support/devToolsRecorder';
import { copyRequested, linkOpened } from '@features/auth/links/oneTimeLink.slice';
import { identityPasswordSubmitted } from '@features/auth/verify-identity/verification.slice';
import { enrolmentMethodChosen } from '@features/mfa';
import { enrolmentCodeSubmitted } from '@features/mfa/enrolment/enrolment.slice';
import { linkFollowed } from '@shared/routing/location.slice';
import { act, fireEvent, screen } from '@testing-library/react';
import { severalPersonas, tokenPair } from '../support/builders';
import { fakeDeps } from '../support/fakeDeps';
import { openRecorded, stepAfter } from './openRecorded';

beforeEach(() => jest.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => jest.useRealTimers());

describe('what the vault held in the past is not shown again', () => {
  it('the key of an authenticator app', async () => {
    const deps = fakeDeps({ path: '/mfa-options' });
    const tokens = tokenPair({ personas: severalPersonas });
    const session = JSON.stringify({ authenticated: tokens });
    deps.cookies.write('payments-test-session', session, { kind: 'session' });
    deps.api.auth.validatePassword.mockResolvedValue({ authVerificationToken: 'vt-1' });
    deps.api.mfa.addAuthenticator.mockResolvedValue({
      code: 'JBSWY3DPEHPK3PXP',
      url: 'otpauth://totp/x?secret=J',
    });
    deps.api.mfa.validateSetup.mockResolvedValue(undefined);
    const tab = await openRecorded(deps);
    await tab.act(enrolmentMethodChosen({ method: 'qrcode' }));
    await tab.act(identityPasswordSubmitted('Corr3ct-horse'));
    expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible();
    await tab.act(linkFollowed({ to: '/verification/u_1/' }));
    await tab.act(enrolmentCodeSubmitted('222222'));

    await tab.jump(stepAfter('enrolment/keyReceived'));
    expect(await screen.findByText('The QR code is no longer held.')).toBeVisible();
    expect(screen.queryByRole('img', { name: /QR code/ })).not.toBeInTheDocument();
  });

  it('the values of an API invitation; and what is pressed there copies nothing and opens nothing', async () => {
    const deps = fakeDeps({ path: '/secret-key/h-1', config: { oneTimeLinks: 'click' } });
    deps.api.users.apiInvite.mockResolvedValue({ apiKey: 'shown-key', apiSecret: 'shown-secret' });
    const tab = await openRecorded(deps);
    await tab.act(linkOpened());
    await tab.act(copyRequested('apiKey'));
    expect(await screen.findByText('shown-key')).toBeVisible();
    act(() => deps.navigation.visit('/unauthorized'));
    await tab.arrive();

    for (const event of ['apiInviteReceived', 'copyEnded']) {
      await tab.jump(stepAfter(`oneTimeLink/${event}`));
      expect(screen.queryByText(/shown-(key|secret)/)).not.toBeInTheDocument();
    }
    await tab.jump(stepAfter('oneTimeLink/linkGateShown'));
    fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
    await tab.act(copyRequested('apiSecret'));
    await tab.jump(recording.steps().length - 1);
    expect(deps.clipboard.copied).toEqual(['shown-key']);
    expect(deps.api.users.apiInvite).toHaveBeenCalledTimes(1);
  });
});
