import { Button } from '@shared/ui/Button';
import { HiddenUsername, PasswordField } from '@shared/ui/PasswordField';
import layout from '@shared/ui/layout.module.css';
import { TextLink } from '@shared/ui/links';
import { setFieldValue, useFilled } from '@shared/ui/useFilled';
import { useTakenFocus } from '@shared/ui/useTakenFocus';
import { useLayoutEffect, useRef, type SubmitEvent, type RefObject } from 'react';
import { authMessages } from '../auth.messages';

interface PasswordFormProps {
  /** For password managers, which otherwise save the password without a name. */
  readonly username: string;
  /** The password was sent and is being checked. */
  readonly busy: boolean;
  /** Some sign-in is under way. */
  readonly disabled: boolean;
  /** Refused attempts so far. */
  readonly attempt: number;
  readonly takesFocus: boolean;
  readonly forgotHref: string;
  readonly onForgot: () => void;
  readonly onPassword: (password: string) => void;
}

/** The password of the second step of `/login`. The field is uncontrolled: the password lives in the DOM alone. */
export function PasswordForm(props: PasswordFormProps) {
  const { username, busy, disabled, forgotHref, onForgot, onPassword } = props;
  const field = useTakenFocus<HTMLInputElement>(props.takesFocus);
  useEmptiedWhenRefused(field, props);
  const filled = useFilled(field);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const password = field.current?.value ?? '';
    if (password !== '' && !disabled) onPassword(password);
  };
  return (
    // `post`: should the handler ever fail, the password does not land in the address.
    <form method="post" className={layout['stack']} onSubmit={submit}>
      <HiddenUsername username={username} />
      <PasswordField
        ref={field}
        label={authMessages.signIn.password}
        name="password"
        autoComplete="current-password"
        readOnly={disabled}
        showLabel={authMessages.signIn.showPassword}
        capsLockWarning={authMessages.signIn.capsLock}
        beside={
          <TextLink href={forgotHref} onFollow={onForgot}>
            {authMessages.signIn.forgotPassword}
          </TextLink>
        }
      />
      <Button type="submit" variant="primary" wide busy={busy} disabled={disabled || !filled}>
        {authMessages.signIn.submit}
      </Button>
    </form>
  );
}

type Field = RefObject<HTMLInputElement | null>;

/** After a wrong password; an attempt that failed at a provider leaves the field alone. */
function useEmptiedWhenRefused(fieldRef: Field, { attempt, busy }: PasswordFormProps): void {
  const seen = useRef(attempt);
  const sent = useRef(false);
  useLayoutEffect(() => {
    if (seen.current !== attempt && sent.current && fieldRef.current) {
      setFieldValue(fieldRef.current, '');
      fieldRef.current.focus();
    }
    seen.current = attempt;
    sent.current = busy;
  }, [fieldRef, attempt, busy]);
}
