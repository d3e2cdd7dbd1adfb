import { useLingui } from '@lingui/react';
import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { paths } from '@vestibule/contract/paths';
import { useVaultValue } from '@shared/contexts';
import { useDispatch, useSelector } from 'react-redux';
import { useParams } from 'react-router-dom';
import { mfaMessages } from '../mfa.messages';
import { keyRequested, keyCopyRequested, selectEnrolment } from './enrolment.slice';
import { AppEnrolment, type AuthenticatorKeyView } from './AppEnrolment';

/** `/qrcode-start/{uid}`: QR code and key. */
export function AppEnrolmentScreen() {
  const { _ } = useLingui();
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  const { uid = '' } = useParams();
  const enrolment = useAuthenticatorKey();
  if (!enrolment) return null;
  return (
    <>
      <ScreenTitle screen={_(mfaMessages.qrCode.title)} />
      <AppEnrolment
        enrolment={enrolment}
        takesFocus={!embedded}
        next={paths.enrolmentCode(uid)}
        onCopy={() => void dispatch(keyCopyRequested())}
        onTryAgain={() => void dispatch(keyRequested())}
      />
    </>
  );
}

function useAuthenticatorKey(): AuthenticatorKeyView | null {
  const state = useSelector(selectEnrolment);
  const held = useVaultValue('authenticatorKey');
  switch (state.phase) {
    case 'loadingKey':
      return { kind: 'loading' };
    case 'keyFailed':
      return { kind: 'failed' };
    case 'keyShown':
      return held ? { kind: 'ready', ...held, copy: state.copy } : { kind: 'gone' };
    default:
      return null;
  }
}
