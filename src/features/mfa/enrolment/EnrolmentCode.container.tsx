import { useLingui } from '@lingui/react';
import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { paths } from '@vestibule/contract/paths';
import { useDispatch, useSelector } from 'react-redux';
import { useParams } from 'react-router-dom';
import { mfaMessages } from '../mfa.messages';
import { selectEnrolment, enrolmentCodeSubmitted } from './enrolment.slice';
import { EnrolmentCode } from './EnrolmentCode';

/** `/verification/{uid}/`: the code. */
export function EnrolmentCodeScreen() {
  const { _ } = useLingui();
  const state = useSelector(selectEnrolment);
  const embedded = useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  const { uid = '' } = useParams();
  if (state.phase !== 'code' && state.phase !== 'verifying') return null;
  return (
    <>
      <ScreenTitle screen={_(mfaMessages.code.title)} />
      <EnrolmentCode
        method={state.method}
        lastFourPhone={state.method === 'text' ? state.lastFourPhone : undefined}
        busy={state.phase === 'verifying'}
        red={state.red}
        restarts={state.restarts}
        takesFocus={!embedded}
        back={state.method === 'text' ? paths.phoneEnrolment(uid) : paths.appEnrolment(uid)}
        onSubmit={(code) => void dispatch(enrolmentCodeSubmitted(code))}
      />
    </>
  );
}
