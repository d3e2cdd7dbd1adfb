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
  return (
    <div className={layout['tight']}>
      <p className={layout['row']}>
        <span>{words.noCode}</span>
        <Button
          variant="quiet"
          keepsFocus
          busy={status === 'sending'}
          disabled={disabled || status === 'sent'}
          onClick={onResend}
        >
          {words.resend}
        </Button>
      </p>
      <Notice tone="success">{status === 'sent' ? words.resent : null}</Notice>
    </div>
  );
}
