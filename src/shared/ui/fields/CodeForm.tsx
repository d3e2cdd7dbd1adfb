import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { useState, type SubmitEvent } from 'react';
import { Button } from '../buttons/Button';
import layout from '../layout.module.css';
import { CodeField } from './CodeField';
import { codeLength } from './codeText';
import { ResendCode } from './ResendCode';

export interface CodeFormProps {
  readonly texts: Readonly<Record<'code' | 'codeLength' | 'verify', MessageDescriptor>>;
  readonly entry: {
    /** Each increment empties and focuses the boxes. */
    readonly restarts: number;
    /** The request for another text message; `null`: the code cannot be sent again. */
    readonly resend: 'ready' | 'sending' | 'sent' | null;
  };
  /** Says where the code is. */
  readonly sent: string;
  /** What is in progress. */
  readonly work: string | null;
  /** The code was wrong. */
  readonly red: boolean;
  /** `false` in a parent's frame. */
  readonly takesFocus: boolean;
  readonly onCode: (code: string) => void;
  readonly onResend: () => void;
}

/** A code that lets a payment or a sign-in go on. A complete code is not submitted automatically, because submitting it is a consent. */
export function CodeForm(props: CodeFormProps) {
  const { _ } = useLingui();
  const { texts, entry, sent, work, red, takesFocus, onCode, onResend } = props;
  const { restarts, resend } = entry;
  const [code, setCode] = useState('');
  const maySubmit = work === null && !red && code.length === codeLength;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (maySubmit) onCode(code);
  };
  return (
    <>
      <p>{sent}</p>
      {/* `post` keeps the code out of the address if the handler fails. */}
      <form method="post" className={layout['stack']} onSubmit={submit}>
        <CodeField
          label={_(texts.code)}
          description={_(texts.codeLength)}
          red={red}
          restarts={restarts}
          takesFocus={takesFocus}
          disabled={work !== null}
          onChange={setCode}
        />
        <Button type="submit" variant="primary" wide busy={work === 'code'} disabled={!maySubmit}>
          {_(texts.verify)}
        </Button>
      </form>
      {resend !== null && <ResendCode status={resend} disabled={work !== null} onResend={onResend} />}
    </>
  );
}
