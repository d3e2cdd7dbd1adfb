import { Button } from '../buttons/Button';
import layout from '../layout.module.css';
import { Notice } from '../page/Notice';

interface ResendCodeProps {
  readonly texts: { readonly noCode: string; readonly resend: string; readonly resent: string };
  /** `sent` while the notice is shown; then another message can be requested. */
  readonly status: 'ready' | 'sending' | 'sent';
  /** A code is being checked. */
  readonly disabled: boolean;
  readonly onResend: () => void;
}

/** Requests another text message. */
export function ResendCode({ texts, status, disabled, onResend }: ResendCodeProps) {
  return (
    <div className={layout['tight']}>
      <p className={layout['row']}>
        <span>{texts.noCode}</span>
        <Button
          variant="quiet"
          keepsFocus
          busy={status === 'sending'}
          disabled={disabled || status === 'sent'}
          onClick={onResend}
        >
          {texts.resend}
        </Button>
      </p>
      <Notice tone="success">{status === 'sent' ? texts.resent : null}</Notice>
    </div>
  );
}
