import { useId, type ComponentPropsWithRef } from 'react';
import styles from './TextField.module.css';

/** The attributes of an input, except those that the design system sets. */
export interface TextFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'id'> {
  readonly label: string;
  /** Shown below the field. */
  readonly hint?: string | undefined;
  /** The error in the value. Screen readers say it when it appears, and with the field. */
  readonly error?: string | undefined;
}

/** An input with its label. */
export function TextField({ label, hint, error, ...input }: TextFieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const described = [hint && hintId, error && errorId, input['aria-describedby']].filter(Boolean).join(' ');
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className={styles['input']}
        aria-describedby={described || undefined}
        aria-invalid={error ? true : undefined}
      />
      {hint && (
        <p id={hintId} className={styles['hint']}>
          {hint}
        </p>
      )}
      {/* Rendered empty from the start, so that screen readers announce an error when it appears. */}
      <p id={errorId} className={styles['error']} aria-live="polite">
        {error}
      </p>
    </div>
  );
}
