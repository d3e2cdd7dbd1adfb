import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { Card } from '@shared/ui/page/Card';
import { TextField } from '@shared/ui/fields/TextField';
import { useTakenFocus } from '@shared/ui/useTakenFocus';
import { useDispatch, useSelector } from 'react-redux';
import { passwordMessages } from '../password.messages';
import { newPasswordSubmitted, selectNewPassword, type PersonName } from './newPassword.slice';
import { NewPasswordForm, SavedNotice } from './NewPasswordForm';

const words = passwordMessages.activate;

/** `/activate/{hash}`: an invited user sets names and password. */
export function Activate() {
  const state = useSelector(selectNewPassword);
  const takesFocus = !useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  return (
    <>
      <ScreenTitle screen={words.title} />
      {state.phase === 'saved' && <SavedNotice title={words.saved} takesFocus={takesFocus} />}
      {(state.phase === 'editing' || state.phase === 'saving') && (
        <Card title={words.title}>
          <NewPasswordForm
            username=""
            before={(form) => (
              <NameFields form={form} busy={state.phase === 'saving'} takesFocus={takesFocus} />
            )}
            submitLabel={words.submit}
            error={state.error}
            busy={state.phase === 'saving'}
            takesFocus={false}
            onSubmit={(entry, form) => void dispatch(newPasswordSubmitted(entry, nameIn(form)))}
          />
        </Card>
      )}
    </>
  );
}

/** Both are required; the browser asks for a missing one. */
function NameFields({
  form,
  busy,
  takesFocus,
}: {
  readonly form: string;
  readonly busy: boolean;
  readonly takesFocus: boolean;
}) {
  const first = useTakenFocus<HTMLInputElement>(takesFocus);
  // `required` alone accepts blanks.
  const field = {
    form,
    required: true,
    pattern: '.*\\S.*',
    readOnly: busy,
    maxLength: 100,
    enterKeyHint: 'next',
  } as const;
  return (
    <>
      <TextField {...field} label={words.firstName} name="firstName" autoComplete="given-name" ref={first} />
      <TextField {...field} label={words.lastName} name="lastName" autoComplete="family-name" />
    </>
  );
}

function nameIn(form: HTMLFormElement): PersonName {
  const fields = new FormData(form);
  const text = (name: string): string => {
    const value = fields.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  return { firstName: text('firstName'), lastName: text('lastName') };
}
