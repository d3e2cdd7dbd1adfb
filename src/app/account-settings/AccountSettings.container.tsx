import {
  selectActivePhone,
  setupMethodChosen,
  turnOffRequested,
  TwoStepSection,
  type SetupMethod,
  type TwoStepStatus,
} from '@features/mfa';
import { describeLastChange, PasswordSection, type LastPasswordChange } from '@features/password';
import {
  logoutRequested,
  profileRequested,
  selectAccess,
  selectClaims,
  selectProfile,
  sessionMessages,
  type ProfileState,
} from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { linkFollowed } from '@shared/routing/location.slice';
import { paths } from '@shared/routing/paths';
import { WidePage } from '@shared/ui/WidePage';
import { useDispatch, useSelector } from 'react-redux';

/** `/account-settings`: the profile of the signed-in user, fed to the sections of two features. */
export function AccountSettings() {
  const profile = useSelector(selectProfile);
  const dispatch = useDispatch();
  const tryAgain = () => void dispatch(profileRequested());
  const status = twoStepStatus(profile, useSelector(selectActivePhone));
  const options = paths.mfaOptions();
  const isSetupMode = useSelector(selectAccess).phase === 'setup';
  // Whoever signs in through a provider has no password here.
  const hasPassword = useSelector(selectClaims)?.method === 'basic';
  const canChange = hasPassword && !isSetupMode;
  return (
    <>
      <ScreenTitle screen={sessionMessages.accountSettings} />
      <WidePage title={sessionMessages.accountSettings}>
        <TwoStepSection
          status={status}
          onTryAgain={tryAgain}
          onGetStarted={() => void dispatch(linkFollowed({ to: options }))}
          // What was set up in setup mode is changed, if at all, after signing in with it.
          onChangeMethod={
            isSetupMode
              ? undefined
              : () => void dispatch(setupMethodChosen({ method: changedMethod(status) }))
          }
          onSignIn={isSetupMode ? () => void dispatch(logoutRequested()) : undefined}
          // Somebody who has to set it up has nothing to turn off yet, nor a session to verify.
          onTurnOff={isSetupMode ? undefined : () => void dispatch(turnOffRequested())}
        />
        <PasswordSection
          lastChange={lastChange(profile)}
          onTryAgain={tryAgain}
          onChange={canChange ? () => void dispatch(linkFollowed({ to: paths.changeVerify() })) : undefined}
        />
      </WidePage>
    </>
  );
}

/** Change Number is about text messages, Add New App about the app (specification §2). */
const changedMethod = (status: TwoStepStatus): SetupMethod =>
  status.kind === 'active' && status.method === 'sms' ? 'sms' : 'qrcode';

function twoStepStatus(profile: ProfileState, lastFourPhone: string | null): TwoStepStatus {
  if (profile.phase !== 'loaded') return waiting(profile);
  const { authyActive, twoFactorActive } = profile.attributes;
  // The authenticator app first: it is the recommended method (specification §2, /mfa-options).
  if (twoFactorActive) return { kind: 'active', method: 'app' };
  if (!authyActive) return { kind: 'off' };
  return { kind: 'active', method: 'sms', ...(lastFourPhone === null ? {} : { lastFourPhone }) };
}

function lastChange(profile: ProfileState): LastPasswordChange {
  if (profile.phase !== 'loaded') return waiting(profile);
  const { lastReset } = profile.attributes;
  return lastReset === null
    ? { kind: 'never' }
    : { kind: 'changed', text: describeLastChange(lastReset), dateTime: lastReset };
}

const waiting = ({ phase }: ProfileState): { readonly kind: 'loading' | 'failed' } =>
  phase === 'failed' ? { kind: 'failed' } : { kind: 'loading' };
