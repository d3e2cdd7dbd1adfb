import { useLingui } from '@lingui/react';
import { selectIsEmbedded, selectSignInName } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { paths } from '@vestibule/contract/paths';
import { BackLink } from '@shared/ui/buttons/links';
import { Card } from '@shared/ui/page/Card';
import { useDispatch, useSelector } from 'react-redux';
import { passwordMessages } from '../password.messages';
import { newPasswordSubmitted, selectNewPassword } from './newPassword.slice';
import { NewPasswordForm, SavedNotice } from './NewPasswordForm';
import { Steps } from '@shared/ui/page/Steps';

const words = passwordMessages.change;

/** `/reset-password-manual`: a signed-in user changes the password. */
export function ChangePassword() {
  const { _ } = useLingui();
  const state = useSelector(selectNewPassword);
  const username = useSelector(selectSignInName);
  const embedded = useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  return (
    <>
      <ScreenTitle screen={_(words.title)} />
      <Steps step={state.phase === 'saving' ? 'editing' : state.phase}>
        {state.phase === 'saved' && <SavedNotice takesFocus={!embedded} stays={embedded} />}
        {(state.phase === 'editing' || state.phase === 'saving') && (
          <Card
            title={_(words.title)}
            above={<BackLink label={_(words.back)} to={paths.accountSettings()} />}
          >
            <NewPasswordForm
              username={username}
              submitLabel={_(words.submit)}
              error={state.error}
              busy={state.phase === 'saving'}
              takesFocus={!embedded}
              onSubmit={(entry) => void dispatch(newPasswordSubmitted(entry))}
            />
          </Card>
        )}
      </Steps>
    </>
  );
}
