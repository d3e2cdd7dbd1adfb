import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { linkFollowed, selectLocation } from '@shared/routing/location.slice';
import { paths } from '@shared/routing/paths';
import { useDispatch, useSelector } from 'react-redux';
import { passwordMessages } from '../password.messages';
import { forgotSubmitted, resendRequested, selectForgot } from './forgot.slice';
import { ForgotForm, ResetLinkSent, type ForgotBack } from './ForgotPassword';
import { isVerifyMode } from './verifyMode';

const words = passwordMessages.forgot;

/** `/forgot-password`, in both modes (specification §2; decisions §9). */
export function ForgotPassword() {
  const state = useSelector(selectForgot);
  const takesFocus = !useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  const back = useBack();
  return (
    <>
      <ScreenTitle screen={state.phase === 'sent' ? words.sent.title : words.title} />
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
    </>
  );
}

/** The query goes along to the sign-in: the address to return to must survive. */
function useBack(): ForgotBack {
  const { search } = useSelector(selectLocation);
  const dispatch = useDispatch();
  const verifying = isVerifyMode(search);
  const to = verifying ? paths.accountSettings() : paths.login(search);
  return {
    label: verifying ? words.backToSettings : words.backToLogin,
    href: to,
    onFollow: () => void dispatch(linkFollowed({ to })),
  };
}
