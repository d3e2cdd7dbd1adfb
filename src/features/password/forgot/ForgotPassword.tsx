import { useLingui } from '@lingui/react';
import { BackLink, type BackLinkProps } from '@shared/ui/buttons/links';
import { Button } from '@shared/ui/buttons/Button';
import { Card } from '@shared/ui/page/Card';
import layout from '@shared/ui/layout.module.css';
import { TextField } from '@shared/ui/fields/TextField';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useLayoutEffect, useRef, type RefObject, type SubmitEvent } from 'react';
import { passwordMessages } from '../password.messages';

const words = passwordMessages.forgot;

interface ForgotFormProps {
  /** The start value of the field. It may arrive later and never replaces typed text. */
  readonly email: string;
  readonly busy: boolean;
  readonly takesFocus: boolean;
  /** The back link: to the settings in verify mode, else to `/login`. */
  readonly back: BackLinkProps;
  readonly onSubmit: (email: string) => void;
}

/** `/forgot-password`: asks for the e-mail, which the browser validates. */
export function ForgotForm({ email, busy, takesFocus, back, onSubmit }: ForgotFormProps) {
  const { _ } = useLingui();
  const field = useAutoFocus<HTMLInputElement>(takesFocus);
  useStartingEmail(field, email);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const entered = field.current?.value.trim() ?? '';
    if (entered !== '' && !busy) onSubmit(entered);
  };
  return (
    <Card title={_(words.title)} lead={_(words.text)} above={<BackLink {...back} />}>
      <form method="post" className={layout['stack']} onSubmit={submit}>
        <TextField
          ref={field}
          label={_(words.email)}
          name="email"
          type="email"
          autoComplete="email"
          enterKeyHint="send"
          required
          maxLength={254}
          readOnly={busy}
        />
        <Button type="submit" variant="primary" wide busy={busy}>
          {_(words.submit)}
        </Button>
      </form>
    </Card>
  );
}

/** Sets the start value. A `key` would replace the field, and the focus would be lost on submit. */
function useStartingEmail(fieldRef: RefObject<HTMLInputElement | null>, email: string): void {
  const applied = useRef('');
  useLayoutEffect(() => {
    const field = fieldRef.current;
    if (!field || (field.value !== applied.current && field.value !== email)) return;
    field.value = email;
    applied.current = email;
  }, [fieldRef, email]);
}

interface ResetLinkSentProps {
  readonly takesFocus: boolean;
  /** The back link: to the settings in verify mode, else to `/login`. */
  readonly back: BackLinkProps;
  readonly onResend: () => void;
}

/** Shows 'Reset Link Sent', whether or not there is an account for the e-mail. */
export function ResetLinkSent({ takesFocus, back, onResend }: ResetLinkSentProps) {
  const { _ } = useLingui();
  const title = useAutoFocus<HTMLHeadingElement>(takesFocus);
  return (
    <Card
      titleRef={title}
      title={_(words.sent.title)}
      lead={_(words.sent.text)}
      icon="done"
      above={<BackLink {...back} />}
    >
      <Button onClick={onResend}>{_(words.sent.resend)}</Button>
    </Card>
  );
}
