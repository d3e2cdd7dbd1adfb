import type { MessageDescriptor } from '@lingui/core';
import { useText } from '@shared/texts';
import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { Sentence } from '@shared/ui/Name';
import { Card } from '@shared/ui/page/Card';
import { HiddenUsername, PasswordField } from '@shared/ui/fields/PasswordField';
import layout from '@shared/ui/layout.module.css';
import { Notice } from '@shared/ui/page/Notice';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useId, useLayoutEffect, useRef, useState, type MouseEvent, type SubmitEvent } from 'react';
import { passwordMessages } from '../password.messages';
import { passwordRulesAttribute } from '../passwordRules';
import type { NewPassword, NewPasswordError } from './newPassword.slice';
import { PasswordRuleList } from './PasswordRuleList';

interface NewPasswordFormProps {
  /**
   * The username for password managers. Empty for a new account, whose username the page does not know. Absent if the manager
   * may know the account.
   */
  readonly username?: string;
  readonly submitLabel: string;
  /** The text below the fields with any error. */
  readonly lineOnError?: string;
  readonly error: NewPasswordError;
  readonly busy: boolean;
  /** Whether the first field takes the focus on its own; not in an iframe. */
  readonly takesFocus: boolean;
  /** Called for a press of the button, and for Enter in a field. It may prevent the submit. */
  readonly onPress?: (event: MouseEvent) => void;
  readonly onSubmit: (entry: NewPassword) => void;
}

const words = passwordMessages.fields;

/** The form for a new password, which is typed twice, and its rules. */
export function NewPasswordForm(props: NewPasswordFormProps) {
  const { _ } = useLingui();
  const text = useText();
  const { username, submitLabel, lineOnError, error, busy, takesFocus, onPress, onSubmit } = props;
  const password = useRef<HTMLInputElement>(null);
  const confirm = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [left, setLeft] = useState('');
  const id = useId();
  const times = error?.times ?? 0;
  const isAtPassword = error?.at === 'password';
  useLayoutEffect(() => {
    if (times > 0 ? isAtPassword : takesFocus) password.current?.focus();
  }, [times, isAtPassword, takesFocus]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (busy) return;
    onSubmit({ password: password.current?.value ?? '', confirm: confirm.current?.value ?? '' });
  };
  return (
    <form method="post" className={layout['stack']} onSubmit={submit}>
      {username !== undefined && <HiddenUsername username={username} />}
      <PasswordField
        ref={password}
        label={_(words.password)}
        name="password"
        autoComplete="new-password"
        enterKeyHint="next"
        readOnly={busy}
        showLabel={_(words.showPassword)}
        hideLabel={_(words.hidePassword)}
        capsLockWarning={_(words.capsLock)}
        aria-describedby={`${id}-rules`}
        error={isAtPassword ? text(error.message) : undefined}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={(event) => setLeft(event.currentTarget.value)}
        {...{ passwordrules: passwordRulesAttribute }}
      />
      <PasswordRuleList id={`${id}-rules`} password={typed} left={left} />
      <PasswordField
        ref={confirm}
        label={_(words.confirm)}
        name="confirm"
        autoComplete="new-password"
        enterKeyHint="go"
        readOnly={busy}
        showLabel={_(words.showConfirm)}
        hideLabel={_(words.hideConfirm)}
        {...{ passwordrules: passwordRulesAttribute }}
      />
      {lineOnError !== undefined && error && <p>{lineOnError}</p>}
      <FormError error={error} />
      <Button type="submit" variant="primary" wide busy={busy} onClick={onPress}>
        {submitLabel}
      </Button>
    </form>
  );
}

/** A failed call, said again each time. */
function FormError({ error }: Pick<NewPasswordFormProps, 'error'>) {
  return (
    <Notice tone="danger">
      {error?.at === 'form' && (
        <span key={error.times}>
          <Sentence of={error.message} />
        </span>
      )}
    </Notice>
  );
}

interface SavedNoticeProps {
  readonly title?: MessageDescriptor;
  readonly takesFocus: boolean;
  /** The page does not go to `/login`, because it is in a frame. */
  readonly stays?: boolean;
}

/** Replaces the form when the password is saved. It takes the focus, so that screen readers say it. */
export function SavedNotice({ title = passwordMessages.saved, takesFocus, stays = false }: SavedNoticeProps) {
  const { _ } = useLingui();
  const heading = useAutoFocus<HTMLHeadingElement>(takesFocus);
  const lead = stays ? undefined : passwordMessages.toSignIn;
  return <Card titleRef={heading} title={_(title)} lead={lead && _(lead)} icon="done" />;
}
