import { useId, type ComponentPropsWithRef } from 'react';
import styles from './TextField.module.css';

interface SelectFieldProps extends Omit<ComponentPropsWithRef<'select'>, 'className' | 'style' | 'id'> {
  readonly label: string;
  /** The label of each value, in the order of the list. */
  readonly options: Readonly<Record<string, string>>;
}

/** A native select with its label. */
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
