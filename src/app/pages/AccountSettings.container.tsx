import { TwoStepSection, type TwoStepStatus } from '@features/mfa';
import { describeLastChange, PasswordSection, type LastPasswordChange } from '@features/password';
import { profileRequested, selectProfile, sessionMessages, type ProfileState } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { WidePage } from '@shared/ui/WidePage';
import { useDispatch, useSelector } from 'react-redux';

/** `/account-settings`: the profile of the signed-in user, fed to the sections of two features. */
export function AccountSettings() {
  const profile = useSelector(selectProfile);
  const dispatch = useDispatch();
  const tryAgain = () => void dispatch(profileRequested());
  return (
    <>
      <ScreenTitle screen={sessionMessages.accountSettings} />
      <WidePage title={sessionMessages.accountSettings}>
        <TwoStepSection status={twoStepStatus(profile)} onTryAgain={tryAgain} />
        <PasswordSection lastChange={lastChange(profile)} onTryAgain={tryAgain} />
      </WidePage>
    </>
  );
}

function twoStepStatus(profile: ProfileState): TwoStepStatus {
  if (profile.phase !== 'loaded') return waiting(profile);
  const { authyActive, twoFactorActive } = profile.attributes;
  // The authenticator app first: it is the recommended method (specification §2, /mfa-options).
  if (twoFactorActive) return { kind: 'active', method: 'app' };
  return authyActive ? { kind: 'active', method: 'sms' } : { kind: 'off' };
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
