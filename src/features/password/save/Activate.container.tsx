import { useLingui } from '@lingui/react';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { Card } from '@shared/ui/page/Card';
import layout from '@shared/ui/layout.module.css';
import { TextField } from '@shared/ui/fields/TextField';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useRef, type KeyboardEvent } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { passwordMessages } from '../password.messages';
import { newPasswordSubmitted, selectNewPassword, type PersonName } from './newPassword.slice';
import { NewPasswordForm, SavedNotice } from './NewPasswordForm';
import { Steps } from '@shared/ui/page/Steps';

const words = passwordMessages.activate;

/** `/activate/{hash}`: an invited user sets names and password. */
export function Activate() {
  const { _ } = useLingui();
  const state = useSelector(selectNewPassword);
  const dispatch = useDispatch();
  const fields = useRef<HTMLDivElement>(null);
  return (
    <>
      <ScreenTitle screen={_(words.title)} />
      <Steps step={state.phase === 'saving' ? 'editing' : state.phase}>
        {state.phase === 'saved' && <SavedNotice title={words.saved} takesFocus />}
        {(state.phase === 'editing' || state.phase === 'saving') && (
          <Card title={_(words.title)}>
            <div ref={fields} className={layout['stack']}>
              <NameFields
                busy={state.phase === 'saving'}
                onEnter={() => fields.current?.querySelector<HTMLElement>('[type=submit]')?.click()}
              />
              <NewPasswordForm
                username=""
                submitLabel={_(words.submit)}
                error={state.error}
                busy={state.phase === 'saving'}
                takesFocus={false}
                onPress={(event) => {
                  if (!areValid(fields.current)) event.preventDefault();
                }}
                onSubmit={(entry) => void dispatch(newPasswordSubmitted(entry, nameIn(fields.current)))}
              />
            </div>
          </Card>
        )}
      </Steps>
    </>
  );
}

interface NameFieldsProps {
  readonly busy: boolean;
  readonly onEnter: () => void;
}

/**
 * The fields of the names, both required. They belong to no form, because Chromium's password manager takes the last text
 * field before the password for the username. So this code handles Enter and validation.
 */
function NameFields({ busy, onEnter }: NameFieldsProps) {
  const { _ } = useLingui();
  const first = useAutoFocus<HTMLInputElement>(true);
  const submitByEnter = (event: KeyboardEvent): void => {
    // During a composition, Enter only ends the composition.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  // `required` alone accepts blanks.
  const field = {
    required: true,
    pattern: '.*\\S.*',
    readOnly: busy,
    maxLength: 100,
    onKeyDown: submitByEnter,
    // Phones autocorrect rare names.
    autoCapitalize: 'words',
    autoCorrect: 'off',
    spellCheck: false,
  };
  // On phones, the key 'next' would not leave the fields of one form.
  const last = { ...field, enterKeyHint: 'go' } as const;
  return (
    <>
      <TextField
        {...field}
        ref={first}
        label={_(words.firstName)}
        name="firstName"
        autoComplete="given-name"
        enterKeyHint="next"
      />
      <TextField {...last} label={_(words.lastName)} name="lastName" autoComplete="family-name" />
    </>
  );
}

/** Reports the error of the first invalid field and focuses it, as native form validation does. */
const areValid = (fields: HTMLElement | null): boolean =>
  Array.from(fields?.querySelectorAll('input') ?? []).every((field) => field.reportValidity());

function nameIn(fields: HTMLElement | null): PersonName {
  const text = (name: string): string =>
    fields?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? '';
  return { firstName: text('firstName'), lastName: text('lastName') };
}
