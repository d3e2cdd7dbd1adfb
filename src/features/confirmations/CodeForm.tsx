import { Button } from '@shared/ui/buttons/Button';
import { CodeField } from '@shared/ui/fields/CodeField';
import { codeLength } from '@shared/ui/fields/codeText';
import { ResendCode } from '@shared/ui/fields/ResendCode';
import layout from '@shared/ui/layout.module.css';
import { useState, type SubmitEvent } from 'react';
import { confirmationMessages as words } from './confirmations.messages';

export interface CodeFormProps {
  readonly entry: {
    readonly lastFourPhone: string;
    /** Each increment empties and focuses the boxes. */
    readonly restarts: number;
    readonly resend: 'ready' | 'sending' | 'sent';
  };
  /** Says where the text message went. */
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

/** The code of the text message. A complete code is not submitted automatically, because submitting it is a consent. */
export function CodeForm({ entry, sent, work, red, takesFocus, onCode, onResend }: CodeFormProps) {
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
          label={words.code}
          description={words.codeLength}
          red={red}
          restarts={restarts}
          takesFocus={takesFocus}
          disabled={work !== null}
          onChange={setCode}
        />
        <Button type="submit" variant="primary" wide busy={work === 'code'} disabled={!maySubmit}>
          {words.verify}
        </Button>
      </form>
      <ResendCode status={resend} disabled={work !== null} onResend={onResend} />
    </>
  );
}
