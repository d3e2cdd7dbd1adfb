import { useLingui } from '@lingui/react';
import type { TwoStepMethod } from '@shared/api/decoders';
import { Button } from '@shared/ui/buttons/Button';
import { CodeField } from '@shared/ui/fields/CodeField';
import { codeLength } from '@shared/ui/fields/codeText';
import layout from '@shared/ui/layout.module.css';
import { useState, type SubmitEvent } from 'react';
import { mfaMessages } from '../mfa.messages';
import { EnrolmentCard } from './EnrolmentCard';

interface EnrolmentCodeProps {
  readonly method: TwoStepMethod;
  /** The last four digits of the phone that got the message. Present with `text` only. */
  readonly lastFourPhone?: string | undefined;
  /** The code is being verified. */
  readonly busy: boolean;
  /** `true` for 1.5 s after a wrong code. */
  readonly red: boolean;
  /** Each increment empties the field. */
  readonly restarts: number;
  /** Whether the field takes the focus on its own; not in an iframe. */
  readonly takesFocus: boolean;
  /** The link back to the phone or the QR code. */
  readonly back: string;
  /** Called with six digits, when the sixth is entered and by 'Verify'. */
  readonly onSubmit: (code: string) => void;
}

/** `/verification/{uid}/`: step 2. */
export function EnrolmentCode(props: EnrolmentCodeProps) {
  const { _ } = useLingui();
  const { method, lastFourPhone, busy, red, restarts, takesFocus, back, onSubmit } = props;
  const words = mfaMessages.code;
  const [code, setCode] = useState('');
  const isReady = code.length === codeLength && !busy && !red;
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isReady) onSubmit(code);
  };
  return (
    <EnrolmentCard step={2} heading={_(words.title)} backLabel={_(words.back[method])} back={back}>
      <p>{method === 'text' ? `${_(words.text)} ${lastFourPhone ?? ''}` : _(words.app)}</p>
      {/* `post`: should the handler ever fail, the code does not land in the address. */}
      <form method="post" className={layout['stack']} onSubmit={submit}>
        <CodeField
          label={_(words.label)}
          description={_(words.length)}
          red={red}
          restarts={restarts}
          takesFocus={takesFocus}
          disabled={busy}
          onChange={setCode}
          onComplete={onSubmit}
        />
        <Button type="submit" variant="primary" wide busy={busy} disabled={!isReady}>
          {_(words.submit)}
        </Button>
      </form>
    </EnrolmentCard>
  );
}
