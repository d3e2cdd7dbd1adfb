import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { Checkbox } from '@shared/ui/fields/Checkbox';
import type { SecondStepFormProps } from '@shared/slots';
import { asciiDigits } from '@shared/ui/fields/codeText';
import { TextField } from '@shared/ui/fields/TextField';
import { setFieldValue, useFilled } from '@shared/ui/fields/useFilled';
import layout from '@shared/ui/layout.module.css';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useLayoutEffect, useRef, type SubmitEvent } from 'react';
import { recoveryStepMessages } from './recoveryStep.messages';

/** The form for a recovery code at `/two-auth`. The field is uncontrolled, like a password field. */
export function RecoveryForm(props: SecondStepFormProps) {
  const { _ } = useLingui();
  const { status, restarts, keepsCode, takesFocus, texts, onSubmit } = props;
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
        label={_(recoveryStepMessages.code)}
        name="recoveryCode"
        readOnly={status !== 'ready'}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
      />
      <Checkbox ref={trust} label={texts.trustDevice} />
      <Button
        type="submit"
        variant="primary"
        wide
        busy={status === 'checking'}
        disabled={status !== 'ready' || !isFilled}
      >
        {texts.submit}
      </Button>
    </form>
  );
}
