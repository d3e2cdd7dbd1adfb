import { useLingui } from '@lingui/react';
import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { selectLocation } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import { useDispatch, useSelector } from 'react-redux';
import { passwordMessages } from '../password.messages';
import { forgotSubmitted, isVerifyMode, resendRequested, selectForgot } from './forgot.slice';
import { ForgotForm, ResetLinkSent } from './ForgotPassword';
import { Steps } from '@shared/ui/page/Steps';

const words = passwordMessages.forgot;

/** `/forgot-password`, in both modes. */
export function ForgotPassword() {
  const { _ } = useLingui();
  const state = useSelector(selectForgot);
  const takesFocus = !useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  const { search } = useSelector(selectLocation);
  // The query is passed on to `/login`, because it may hold the address to return to.
  const back = isVerifyMode(search)
    ? { label: _(words.backToSettings), to: paths.accountSettings() }
    : { label: _(words.backToLogin), to: paths.login(search) };
  return (
    <>
      <ScreenTitle screen={_(state.phase === 'sent' ? words.sent.title : words.title)} />
      <Steps step={state.phase === 'sent' ? 'sent' : 'form'}>
        {state.phase === 'sent' ? (
          <ResetLinkSent
            takesFocus={takesFocus}
            back={back}
            onResend={() => void dispatch(resendRequested())}
          />
        ) : (
          <ForgotForm
            email={state.email}
            busy={state.phase === 'sending'}
            takesFocus={takesFocus}
            back={back}
            onSubmit={(email) => void dispatch(forgotSubmitted(email))}
          />
        )}
      </Steps>
    </>
  );
}
