import { Button } from '@shared/ui/Button';
import { Checkbox } from '@shared/ui/Checkbox';
import { CodeField } from '@shared/ui/CodeField';
import layout from '@shared/ui/layout.module.css';
import { useRef, useState, type SubmitEvent } from 'react';
import { authMessages } from '../auth.messages';

interface EnterCodeFormProps {
  /** `opening`: what it would start is being fetched; a code can be entered already. */
  readonly status: 'opening' | 'ready' | 'checking' | 'rejected';
  /** Each further one empties the boxes and puts the focus in the first. */
  readonly attempt: number;
  /** Not in a parent's frame (decisions §6). */
  readonly takesFocus: boolean;
  readonly onSubmit: (entered: { readonly code: string; readonly trust: boolean }) => void;
}

/**
 * The code of `/two-auth`. Not sent by itself when it is complete: whether the device is to be trusted is still open
 * then. The code lives in this form alone.
 */
export function EnterCodeForm({ status, attempt, takesFocus, onSubmit }: EnterCodeFormProps) {
  const [code, setCode] = useState('');
  const trust = useRef<HTMLInputElement>(null);
  const { code: label, digit, trustDevice, submit } = authMessages.challenge;
  const maySubmit = status === 'ready' && code.length === 6;
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (maySubmit) onSubmit({ code, trust: trust.current?.checked === true });
  };
  return (
    // `post`: should the handler ever fail, the code does not land in the address.
    <form method="post" className={layout['stack']} onSubmit={send}>
      <CodeField
        label={label}
        digitLabel={digit}
        red={status === 'rejected'}
        attempt={attempt}
        takesFocus={takesFocus}
        disabled={status === 'checking'}
        onChange={setCode}
      />
      <Checkbox ref={trust} label={trustDevice} />
      <Button type="submit" variant="primary" wide busy={status === 'checking'} disabled={!maySubmit}>
        {submit}
      </Button>
    </form>
  );
}
