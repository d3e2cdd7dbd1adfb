import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { Checkbox } from '@shared/ui/fields/Checkbox';
import { CodeField } from '@shared/ui/fields/CodeField';
import { codeLength } from '@shared/ui/fields/codeText';
import layout from '@shared/ui/layout.module.css';
import type { SecondStepFormProps } from '@shared/slots';
import { useRef, useState, type SubmitEvent } from 'react';
import { challengeMessages } from './challenge.messages';

/** The code of `/two-auth`. A complete code is not submitted automatically: the user may still tick 'Trust this device'. */
export function EnterCodeForm(props: SecondStepFormProps) {
  const { _ } = useLingui();
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
        label={_(label)}
        description={_(description)}
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
