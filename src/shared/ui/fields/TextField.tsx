import { useId, type ComponentPropsWithRef } from 'react';
import styles from './TextField.module.css';

/** Everything a native input takes, except what the design system decides. */
export interface TextFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'className' | 'style' | 'id'> {
  readonly label: string;
  /** Below the field. */
  readonly hint?: string | undefined;
  /** What is wrong with the value: marks the field, is said when it appears, and read with the field. */
  readonly error?: string | undefined;
}

/** A labelled input. */
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
