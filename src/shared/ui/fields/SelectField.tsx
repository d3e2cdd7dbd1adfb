import { useId, type ComponentPropsWithRef } from 'react';
import styles from './TextField.module.css';

interface SelectFieldProps extends Omit<ComponentPropsWithRef<'select'>, 'className' | 'style' | 'id'> {
  readonly label: string;
  /** Value → words, in order. */
  readonly options: Readonly<Record<string, string>>;
}

/** A labelled native select: every platform brings its own, usable one. */
export function SelectField({ label, options, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      <select {...select} id={id} className={`${styles['input'] ?? ''} ${styles['select'] ?? ''}`}>
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
