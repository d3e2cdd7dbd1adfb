import { useLingui } from '@lingui/react';
import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useDispatch, useSelector } from 'react-redux';
import { mfaMessages } from '../../mfa.messages';
import { phoneEdited, phoneRefused, phoneSubmitted, selectEnrolment } from '../enrolment.slice';
import { PhoneEnrolment } from './PhoneEnrolment';

/** `/authy-collect-info/{uid}`: the phone number. */
export function PhoneEnrolmentScreen() {
  const { _ } = useLingui();
  const state = useSelector(selectEnrolment);
  const embedded = useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  if (state.phase !== 'phone' && state.phase !== 'sendingPhone') return null;
  return (
    <>
      <ScreenTitle screen={_(mfaMessages.phone.title)} />
      <PhoneEnrolment
        entry={state.entry}
        refused={state.phase === 'phone' && state.refused}
        busy={state.phase === 'sendingPhone'}
        takesFocus={!embedded}
        onEdited={(entry) => void dispatch(phoneEdited(entry))}
        onRefused={(entry) => void dispatch(phoneRefused(entry))}
        onSubmit={(entry, number) => void dispatch(phoneSubmitted({ entry, number }))}
      />
    </>
  );
}
