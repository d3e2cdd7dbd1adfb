import { MfaActivatedScreen } from '@features/mfa/activated';
import { useConfig } from '@shared/contexts';
import { OtherSessionsOffer } from '../account-settings/sections';

/** `/mfa-activated`, with the offer to end the other sessions. */
export function MfaActivated() {
  const { extensions } = useConfig();
  return <MfaActivatedScreen>{extensions.includes('sessions') && <OtherSessionsOffer />}</MfaActivatedScreen>;
}
