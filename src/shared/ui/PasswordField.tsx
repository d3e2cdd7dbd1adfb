import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { EyeIcon } from './EyeIcon';
import styles from './PasswordField.module.css';
import { TextField, type TextFieldProps } from './TextField';

interface PasswordFieldProps extends Omit<
  TextFieldProps,
  'type' | 'ref' | 'autoComplete' | 'onKeyDown' | 'onKeyUp'
> {
  readonly autoComplete: 'current-password' | 'new-password';
  readonly ref?: RefObject<HTMLInputElement | null>;
  /** Name of the toggle. */
  readonly showLabel: string;
  /** Its name while the password shows; without one the name stays and the toggle tells its state as pressed. */
  readonly hideLabel?: string;
  /** Shown and politely said while Caps Lock is on. */
  readonly capsLockWarning?: string;
  /** Stands beside the toggle, such as the link to a forgotten password. */
  readonly beside?: ReactNode;
}

/** A password with its toggle. Hidden again on submit, so that the browser never keeps it as ordinary text. */
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
          {shown ? (hideLabel ?? showLabel) : showLabel}
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
