import { useLingui } from '@lingui/react';
import { selectIsEmbedded, selectPhase } from '@features/session';
import { useFeatures } from '@shared/contexts';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { selectLocation } from '@shared/routing/location.slice';
import { useDispatch, useSelector } from 'react-redux';
import { mfaMessages } from '../mfa.messages';
import { selectActivePhone } from '../status/activePhone.slice';
import { methodOf, selectActivated, setupSignInRequested } from './activation.slice';
import { MfaActivated } from './MfaActivated';

/** `/mfa-activated`: two-step verification is on. */
export function MfaActivatedScreen() {
  const { _ } = useLingui();
  const features = useFeatures();
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  const isSetupMode = useSelector(selectPhase) === 'setup';
  const { search } = useSelector(selectLocation);
  const lastFourPhone = useSelector(selectActivePhone);
  // Nothing is shown before two-step verification is known to be on, because any page can link to this address.
  if (useSelector(selectActivated) === null) return <ScreenTitle screen={_(mfaMessages.activated.title)} />;
  return (
    <>
      <ScreenTitle screen={_(mfaMessages.activated.title)} />
      <MfaActivated
        method={methodOf(search)}
        lastFourPhone={lastFourPhone}
        takesFocus={!embedded}
        onSignIn={isSetupMode ? () => void dispatch(setupSignInRequested()) : undefined}
      >
        {features.map(({ name, FactorNotice }) => FactorNotice && <FactorNotice key={name} />)}
      </MfaActivated>
    </>
  );
}
