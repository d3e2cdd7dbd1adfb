import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import styles from './PasswordField.module.css';
import { TextField, type TextFieldProps } from './TextField';

interface PasswordFieldProps extends Omit<
  TextFieldProps,
  'type' | 'ref' | 'autoComplete' | 'onKeyDown' | 'onKeyUp'
> {
  readonly autoComplete: 'current-password' | 'new-password';
  readonly ref?: RefObject<HTMLInputElement | null>;
  /** The label of the toggle. */
  readonly showLabel: string;
  /** Its label while the password is visible. Absent: the label stays the same, and `aria-pressed` has the state. */
  readonly hideLabel?: string;
  /** Shown, and announced politely, while Caps Lock is on. */
  readonly capsLockWarning?: string;
  /** Shown next to the toggle, such as the link 'Forgot your password?'. */
  readonly beside?: ReactNode;
}

/**
 * A password field with its toggle. Submitting hides the password, so that the browser does not store it as ordinary text.
 */
export function PasswordField({
  ref,
  showLabel,
  hideLabel,
  capsLockWarning,
  beside,
  onBlur,
  ...input
}: PasswordFieldProps) {
  const own = useRef<HTMLInputElement>(null);
  const field = ref ?? own;
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  useHiddenOnSubmit(field, setShown);
  const watchCapsLock = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <div className={styles['password']}>
      <TextField
        {...input}
        ref={field}
        type={shown ? 'text' : 'password'}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        onKeyDown={watchCapsLock}
        onKeyUp={watchCapsLock}
        onBlur={(event) => {
          setCapsLock(false);
          onBlur?.(event);
        }}
      />
      {capsLockWarning !== undefined && (
        <p role="status" className={styles['caps']}>
          {capsLock ? capsLockWarning : null}
        </p>
      )}
      <div className={styles['below']}>
        <button
          type="button"
          className={styles['toggle']}
          aria-pressed={hideLabel === undefined ? shown : undefined}
          onClick={() => setShown(!shown)}
        >
          <EyeIcon crossed={shown} />
          <span>{shown ? (hideLabel ?? showLabel) : showLabel}</span>
        </button>
        {beside}
      </div>
    </div>
  );
}

function useHiddenOnSubmit(
  fieldRef: RefObject<HTMLInputElement | null>,
  setShown: (shown: boolean) => void,
): void {
  useEffect(() => {
    const form = fieldRef.current?.form;
    const hide = (): void => setShown(false);
    form?.addEventListener('submit', hide);
    return () => form?.removeEventListener('submit', hide);
  }, [fieldRef, setShown]);
}

/** An eye, crossed out while the password is visible. */
function EyeIcon({ crossed }: { readonly crossed: boolean }) {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M1.5 10C3.3 6.5 6.4 4.5 10 4.5s6.7 2 8.5 5.5c-1.8 3.5-4.9 5.5-8.5 5.5S3.3 13.5 1.5 10Z" />
      <circle cx="10" cy="10" r="2.5" />
      {crossed && <path d="m3.5 16.5 13-13" />}
    </svg>
  );
}

/**
 * Contains the username for password managers, which otherwise use another field. It is empty if the page does not know the
 * username. It must be the first field of its form. It is invisible but has a size, because some managers skip fields smaller
 * than 9 px.
 */
export function HiddenUsername({ username }: { readonly username: string }) {
  return (
    <input
      className={styles['username']}
      type="text"
      name="username"
      autoComplete="username"
      value={username}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}
