import { useLingui } from '@lingui/react';
import {
  selectActivePhone,
  enrolmentMethodChosen,
  turnOffRequested,
  TwoStepSection,
  type TwoStepStatus,
} from '@features/mfa';
import { PasswordSection, type LastPasswordChange } from '@features/password';
import {
  logoutRequested,
  profileRequested,
  selectHasPassword,
  selectIsEmbedded,
  selectPhase,
  selectProfile,
  sessionMessages,
  type ProfileState,
} from '@features/session';
import type { TwoStepMethod } from '@shared/api/decoders';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useFeatures } from '@shared/contexts';
import { paths } from '@vestibule/contract/paths';
import { WidePage } from '@shared/ui/page/WidePage';
import { useDispatch, useSelector } from 'react-redux';
import { useNavigate } from 'react-router-dom';

/** `/account-settings`: shows the profile of the signed-in user, and the sections of the extensions. */
export function AccountSettings() {
  const { _ } = useLingui();
  const profile = useSelector(selectProfile);
  const dispatch = useDispatch();
  const navigate = useNavigate();
  const tryAgain = () => void dispatch(profileRequested());
  const status = twoStepStatus(profile, useSelector(selectActivePhone));
  const isSetupMode = useSelector(selectPhase) === 'setup';
  const features = useFeatures();
  const hasPassword = useSelector(selectHasPassword);
  const takesFocus = !useSelector(selectIsEmbedded);
  const canChange = hasPassword && !isSetupMode;
  return (
    <>
      <ScreenTitle screen={_(sessionMessages.accountSettings)} />
      <WidePage title={_(sessionMessages.accountSettings)} takesFocus={takesFocus}>
        {features.map(({ name, FactorNotice }) => FactorNotice && <FactorNotice key={name} />)}
        <TwoStepSection
          status={status}
          onTryAgain={tryAgain}
          onGetStarted={() => void navigate(paths.mfaOptions())}
          // In setup mode the user signs in with a new method before it can be changed.
          onChangeMethod={
            isSetupMode
              ? undefined
              : () => void dispatch(enrolmentMethodChosen({ method: changedMethod(status) }))
          }
          onSignIn={isSetupMode ? () => void dispatch(logoutRequested()) : undefined}
          // Turning off needs a session.
          onTurnOff={isSetupMode ? undefined : () => void dispatch(turnOffRequested())}
        >
          {!isSetupMode &&
            features.map(({ name, SecondStepPart }) => SecondStepPart && <SecondStepPart key={name} />)}
        </TwoStepSection>
        <PasswordSection
          lastChange={lastChange(profile)}
          onTryAgain={tryAgain}
          onChange={canChange ? () => void navigate(paths.changeVerify()) : undefined}
        />
        {!isSetupMode && features.map(({ name, Section }) => Section && <Section key={name} />)}
      </WidePage>
    </>
  );
}

/** The method that 'Change Number' or 'Add New App' sets up. */
const changedMethod = (status: TwoStepStatus): TwoStepMethod =>
  status.kind === 'active' ? status.method : 'app';

function twoStepStatus(profile: ProfileState, lastFourPhone: string | null): TwoStepStatus {
  if (profile.phase !== 'loaded') return waiting(profile);
  const { isTextActive, isAppActive } = profile.attributes;
  // If both methods are on, the app is shown, because it is the recommended one.
  if (isAppActive) return { kind: 'active', method: 'app' };
  if (isAppActive === undefined || isTextActive === undefined) return { kind: 'failed' };
  if (!isTextActive) return { kind: 'off' };
  return { kind: 'active', method: 'text', ...(lastFourPhone === null ? {} : { lastFourPhone }) };
}

function lastChange(profile: ProfileState): LastPasswordChange {
  if (profile.phase !== 'loaded') return waiting(profile);
  const { lastReset } = profile.attributes;
  if (lastReset === undefined) return { kind: 'failed' };
  return lastReset === null ? { kind: 'never' } : { kind: 'changed', at: lastReset };
}

const waiting = ({ phase }: ProfileState): { readonly kind: 'loading' | 'failed' } =>
  phase === 'failed' ? { kind: 'failed' } : { kind: 'loading' };
