import { Button } from '@shared/ui/Button';
import { CodeField } from '@shared/ui/CodeField';
import layout from '@shared/ui/layout.module.css';
import { useState, type SubmitEvent } from 'react';
import { mfaMessages } from '../mfa.messages';
import type { SetupMethod } from './setup.slice';
import { SetupCard, type WayBack } from './SetupCard';

interface SetupCodeProps {
  readonly method: SetupMethod;
  /** Of the phone that the message went to; with `sms` only. */
  readonly lastFourPhone?: string | undefined;
  /** The code is being verified. */
  readonly busy: boolean;
  /** The code was wrong, 1.5 s long. */
  readonly red: boolean;
  /** Each further one empties the boxes. */
  readonly attempt: number;
  /** Whether the first box takes the focus by itself; not in a parent's frame (decisions §6). */
  readonly takesFocus: boolean;
  /** To the phone or the QR code. */
  readonly back: WayBack;
  /** Six digits: sent by Verify, and by themselves when the last one is in. */
  readonly onSubmit: (code: string) => void;
}

const codeLength = 6;

/** `/verification/{uid}/`: step 2 (specification §2). */
export function SetupCode(props: SetupCodeProps) {
  const { method, lastFourPhone, busy, red, attempt, takesFocus, back, onSubmit } = props;
  const words = mfaMessages.code;
  const [code, setCode] = useState('');
  const isReady = code.length === codeLength && !busy && !red;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isReady) onSubmit(code);
  };
  return (
    <SetupCard step={2} heading={words.title} backLabel={words.back[method]} back={back}>
      <p>{method === 'sms' ? `${words.sms} ${lastFourPhone ?? ''}` : words.app}</p>
      {/* `post`: should the handler ever fail, the code does not land in the address. */}
      <form method="post" className={layout['stack']} onSubmit={submit}>
        <CodeField
          label={words.label}
          digitLabel={words.digit}
          red={red}
          attempt={attempt}
          takesFocus={takesFocus}
          disabled={busy}
          onChange={setCode}
          onComplete={onSubmit}
        />
        <Button type="submit" variant="primary" wide busy={busy} disabled={!isReady}>
          {words.submit}
        </Button>
      </form>
    </SetupCard>
  );
}
