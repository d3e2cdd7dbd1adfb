import { Button } from '@shared/ui/Button';
import layout from '@shared/ui/layout.module.css';
import { Notice } from '@shared/ui/Notice';
import { authMessages } from '../auth.messages';

interface ResendCodeProps {
  /** `sent` as long as that is said; another one can be asked for after it. */
  readonly status: 'ready' | 'sending' | 'sent';
  /** A code is being checked. */
  readonly disabled: boolean;
  readonly onResend: () => void;
}

/** Another text message, for whoever did not get the first (specification §2, MFA code screen). */
export function ResendCode({ status, disabled, onResend }: ResendCodeProps) {
  const { noCode, resend, resent } = authMessages.challenge;
  return (
    <div className={layout['tight']}>
      <p className={layout['row']}>
        {noCode}
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
