import { Button } from '@shared/ui/buttons/Button';
import { Checkbox } from '@shared/ui/fields/Checkbox';
import { CodeField } from '@shared/ui/fields/CodeField';
import { codeLength } from '@shared/ui/fields/codeText';
import layout from '@shared/ui/layout.module.css';
import type { SecondStepFormProps } from '@shared/slots';
import { Notice } from '@shared/ui/page/Notice';
import { useRef, useState, type SubmitEvent } from 'react';
import { challengeMessages } from './challenge.messages';

/** The code of `/two-auth`. A complete code is not submitted automatically: the user may still tick 'Trust this device'. */
export function EnterCodeForm(props: SecondStepFormProps) {
  const { status, restarts, keepsCode, takesFocus, texts, onSubmit } = props;
  const [code, setCode] = useState('');
  const trust = useRef<HTMLInputElement>(null);
  const { code: label, codeLength: description } = challengeMessages;
  const maySubmit = status === 'ready' && code.length === codeLength;
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (maySubmit) onSubmit({ code, trust: trust.current?.checked === true });
  };
  return (
    // `post` keeps the code out of the address if the handler fails.
    <form method="post" className={layout['stack']} onSubmit={send}>
      <CodeField
        label={label}
        description={description}
        red={status === 'rejected'}
        restarts={restarts}
        keepsCode={keepsCode}
        takesFocus={takesFocus}
        disabled={status === 'checking' || status === 'waiting'}
        onChange={setCode}
      />
      <Checkbox ref={trust} label={texts.trustDevice} />
      <Button type="submit" variant="primary" wide busy={status === 'checking'} disabled={!maySubmit}>
        {texts.submit}
      </Button>
    </form>
  );
}

interface ResendCodeProps {
  /** `sent` while the notice is shown; then another message can be requested. */
  readonly status: 'ready' | 'sending' | 'sent';
  /** A code is being checked. */
  readonly disabled: boolean;
  readonly onResend: () => void;
}

/** Requests another text message. */
export function ResendCode({ status, disabled, onResend }: ResendCodeProps) {
  const { noCode, resend, resent } = challengeMessages;
  return (
    <div className={layout['tight']}>
      <p className={layout['row']}>
        <span>{noCode}</span>
        <Button
          variant="quiet"
          keepsFocus
          busy={status === 'sending'}
          disabled={disabled || status === 'sent'}
          onClick={onResend}
        >
          {resend}
        </Button>
      </p>
      <Notice tone="success">{status === 'sent' ? resent : null}</Notice>
    </div>
  );
}
