import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { TextLink } from '@shared/ui/buttons/links';
import { HiddenUsername, PasswordField } from '@shared/ui/fields/PasswordField';
import { setFieldValue, useFilled } from '@shared/ui/fields/useFilled';
import layout from '@shared/ui/layout.module.css';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { useLayoutEffect, useRef, type RefObject, type SubmitEvent } from 'react';
import { methodStepMessages } from './sign-in/signIn.messages';

interface PasswordFormProps {
  /** The username under which password managers keep the password. */
  readonly username: string;
  readonly submitLabel: string;
  /** The label of the toggle while the password is visible. Absent: the label stays the same. */
  readonly hideLabel?: string;
  /** The password is being checked. */
  readonly busy: boolean;
  /** A proof is being checked, and nothing can be entered. */
  readonly disabled: boolean;
  /** Number of refused attempts. */
  readonly failures: number;
  readonly takesFocus: boolean;
  readonly forgot: string;
  /** Called with the password as typed, not empty. */
  readonly onPassword: (password: string) => void;
}

/**
 * The password form of `/login` and of verify identity. The field is uncontrolled, so that the password exists only in the
 * DOM.
 */
export function PasswordForm(props: PasswordFormProps) {
  const { _ } = useLingui();
  const { username, busy, disabled, forgot, onPassword } = props;
  const field = useAutoFocus<HTMLInputElement>(props.takesFocus);
  useEmptiedWhenRefused(field, props);
  const filled = useFilled(field, { blanksCount: true });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const password = field.current?.value ?? '';
    if (password !== '' && !disabled) onPassword(password);
  };
  return (
    // `post` keeps the password out of the address if the handler fails.
    <form method="post" className={layout['stack']} onSubmit={submit}>
      <HiddenUsername username={username} />
      <PasswordField
        ref={field}
        label={_(methodStepMessages.password)}
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        readOnly={disabled}
        showLabel={_(methodStepMessages.showPassword)}
        {...(props.hideLabel !== undefined && { hideLabel: props.hideLabel })}
        capsLockWarning={_(methodStepMessages.capsLock)}
        beside={<TextLink to={forgot}>{_(methodStepMessages.forgotPassword)}</TextLink>}
      />
      <Button type="submit" variant="primary" wide busy={busy} disabled={disabled || !filled}>
        {props.submitLabel}
      </Button>
    </form>
  );
}

type Field = RefObject<HTMLInputElement | null>;

/** Empties the field after a refused password, and not after a failed provider attempt. */
function useEmptiedWhenRefused(fieldRef: Field, { failures, busy }: PasswordFormProps): void {
  const seen = useRef(failures);
  const sent = useRef(false);
  useLayoutEffect(() => {
    if (seen.current !== failures && sent.current && fieldRef.current) {
      setFieldValue(fieldRef.current, '');
      fieldRef.current.focus();
    }
    seen.current = failures;
    sent.current = busy;
  }, [fieldRef, failures, busy]);
}
