import { useLingui } from '@lingui/react';
import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { paths } from '@vestibule/contract/paths';
import { ButtonLink } from '@shared/ui/buttons/ButtonLink';
import { Card } from '@shared/ui/page/Card';
import { useDispatch, useSelector } from 'react-redux';
import { passwordMessages } from '../password.messages';
import { newPasswordSubmitted, selectNewPassword } from './newPassword.slice';
import { NewPasswordForm, SavedNotice } from './NewPasswordForm';
import { Steps } from '@shared/ui/page/Steps';

const words = passwordMessages.reset;

/** `/reset-password/{hash}` and `/reset`: a new password by a mailed link. */
export function ResetPassword() {
  const { _ } = useLingui();
  const state = useSelector(selectNewPassword);
  const takesFocus = !useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  return (
    <>
      <ScreenTitle screen={_(words.title)} />
      <Steps step={state.phase === 'saving' ? 'editing' : state.phase}>
        {state.phase === 'saved' && <SavedNotice takesFocus={takesFocus} />}
        {state.phase === 'unusable' && (
          <Card title={_(words.title)} lead={_(words.noHash)}>
            <ButtonLink to={paths.forgotPassword()} variant="primary">
              {_(words.request)}
            </ButtonLink>
          </Card>
        )}
        {(state.phase === 'editing' || state.phase === 'saving') && (
          <Card title={_(words.title)}>
            <NewPasswordForm
              submitLabel={_(words.submit)}
              lineOnError={_(passwordMessages.errors.requirements)}
              error={state.error}
              busy={state.phase === 'saving'}
              takesFocus={takesFocus}
              onSubmit={(entry) => void dispatch(newPasswordSubmitted(entry))}
            />
          </Card>
        )}
      </Steps>
    </>
  );
}
