import { useLingui } from '@lingui/react';
import { Button } from '../buttons/Button';
import layout from '../layout.module.css';
import { Notice } from '../page/Notice';
import { resendCodeMessages as words } from '../resendCode.messages';

interface ResendCodeProps {
  /** `sent` while the notice is shown; then another message can be requested. */
  readonly status: 'ready' | 'sending' | 'sent';
  /** A code is being checked. */
  readonly disabled: boolean;
  readonly onResend: () => void;
}

/** Requests another text message. */
export function ResendCode({ status, disabled, onResend }: ResendCodeProps) {
  const { _ } = useLingui();
  return (
    <div className={layout['tight']}>
      <p className={layout['row']}>
        <span>{_(words.noCode)}</span>
        <Button
          variant="quiet"
          keepsFocus
          busy={status === 'sending'}
          disabled={disabled || status === 'sent'}
          onClick={onResend}
        >
          {_(words.resend)}
        </Button>
      </p>
      <Notice tone="success">{status === 'sent' ? _(words.resent) : null}</Notice>
    </div>
  );
}
