import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { paths } from '@vestibule/contract/paths';
import { useLink } from '@shared/routing/useLink.container';
import { useVaultValue } from '@shared/contexts';
import { useDispatch, useSelector } from 'react-redux';
import { useParams } from 'react-router-dom';
import { mfaMessages } from '../../mfa.messages';
import { enrolmentRequested, keyCopyRequested, selectSetup } from '../setup.slice';
import { AppSetup, type EnrolmentView } from './AppSetup';

/** `/qrcode-start/{uid}`: QR code and key. */
export function AppSetupScreen() {
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  const { uid = '' } = useParams();
  const back = useLink(paths.accountSettings());
  const next = useLink(paths.setupCode(uid));
  const enrolment = useEnrolment();
  if (!enrolment) return null;
  return (
    <>
      <ScreenTitle screen={mfaMessages.qrCode.title} />
      <AppSetup
        enrolment={enrolment}
        takesFocus={!embedded}
        back={back}
        next={next}
        onCopy={() => void dispatch(keyCopyRequested())}
        onTryAgain={() => void dispatch(enrolmentRequested())}
      />
    </>
  );
}

function useEnrolment(): EnrolmentView | null {
  const state = useSelector(selectSetup);
  const held = useVaultValue('enrolment');
  switch (state.phase) {
    case 'enrolling':
      return { kind: 'loading' };
    case 'enrolmentFailed':
      return { kind: 'failed' };
    case 'enrolled':
      return held ? { kind: 'ready', ...held, copy: state.copy } : { kind: 'gone' };
    default:
      return null;
  }
}
