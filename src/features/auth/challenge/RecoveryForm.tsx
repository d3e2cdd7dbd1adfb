import { Button } from '@shared/ui/buttons/Button';
import { Checkbox } from '@shared/ui/fields/Checkbox';
import { asciiDigits } from '@shared/ui/fields/codeText';
import { TextField } from '@shared/ui/fields/TextField';
import { setFieldValue, useFilled } from '@shared/ui/fields/useFilled';
import layout from '@shared/ui/layout.module.css';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useLayoutEffect, useRef, type SubmitEvent } from 'react';
import { challengeMessages } from './challenge.messages';
import type { EnterCodeFormProps } from './EnterCodeForm';
import { recoveryMessages } from './recovery.messages';

/** The form for a recovery code at `/two-auth`. The field is uncontrolled, like a password field. */
export function RecoveryForm({ status, restarts, keepsCode, takesFocus, onSubmit }: EnterCodeFormProps) {
  const field = useAutoFocus<HTMLInputElement>(takesFocus);
  const isFilled = useFilled(field);
  const trust = useRef<HTMLInputElement>(null);
  const seen = useRef(restarts);
  useLayoutEffect(() => {
    if (seen.current === restarts || !field.current) return;
    seen.current = restarts;
    if (!keepsCode) setFieldValue(field.current, '');
    field.current.focus({ preventScroll: true });
  }, [field, restarts, keepsCode]);
  const { trustDevice, submit } = challengeMessages;
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    const code = asciiDigits(field.current?.value.trim() ?? '');
    if (status === 'ready' && code !== '') onSubmit({ code, trust: trust.current?.checked === true });
  };
  return (
    // `post` keeps the code out of the address if the handler fails.
    <form method="post" className={layout['stack']} onSubmit={send}>
      <TextField
        ref={field}
        label={recoveryMessages.code}
        name="recoveryCode"
        readOnly={status !== 'ready'}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
      />
      <Checkbox ref={trust} label={trustDevice} />
      <Button
        type="submit"
        variant="primary"
        wide
        busy={status === 'checking'}
        disabled={status !== 'ready' || !isFilled}
      >
        {submit}
      </Button>
    </form>
  );
}
