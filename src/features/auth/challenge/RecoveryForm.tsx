import { Button } from '@shared/ui/buttons/Button';
import { Checkbox } from '@shared/ui/fields/Checkbox';
import { TextField } from '@shared/ui/fields/TextField';
import layout from '@shared/ui/layout.module.css';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useLayoutEffect, useRef, useState, type SubmitEvent } from 'react';
import { challengeMessages } from './challenge.messages';
import type { EnterCodeFormProps } from './EnterCodeForm';

/** A recovery code instead of the six digits of `/two-auth`, in the place of their form. */
export function RecoveryForm({ status, restarts, keepsCode, onSubmit }: EnterCodeFormProps) {
  const [code, setCode] = useState('');
  // Also in a parent's frame: the user has pressed the link.
  const field = useAutoFocus<HTMLInputElement>(true);
  const trust = useRef<HTMLInputElement>(null);
  const { recovery, trustDevice, submit } = challengeMessages;
  const seen = useRef(restarts);
  useLayoutEffect(() => {
    if (seen.current === restarts) return;
    seen.current = restarts;
    if (!keepsCode) setCode('');
    field.current?.focus({ preventScroll: true });
  });
  const maySubmit = status === 'ready' && code.trim() !== '';
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (maySubmit) onSubmit({ code: code.trim(), trust: trust.current?.checked === true });
  };
  return (
    // `post` keeps the code out of the address if the handler fails.
    <form method="post" className={layout['stack']} onSubmit={send}>
      <TextField
        ref={field}
        label={recovery.code}
        name="recoveryCode"
        value={code}
        readOnly={status === 'checking'}
        required
        maxLength={64}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
        onChange={(event) => {
          setCode(event.currentTarget.value);
        }}
      />
      <Checkbox ref={trust} label={trustDevice} />
      <Button type="submit" variant="primary" wide busy={status === 'checking'} disabled={!maySubmit}>
        {submit}
      </Button>
    </form>
  );
}
