import { useId, type ComponentPropsWithRef } from 'react';
import styles from './SelectField.module.css';
import field from './TextField.module.css';

interface SelectFieldProps extends Omit<ComponentPropsWithRef<'select'>, 'className' | 'style' | 'id'> {
  readonly label: string;
  /** Value → words, in order. */
  readonly options: Readonly<Record<string, string>>;
}

/** A labelled native select: every platform brings its own, usable one. */
export function SelectField({ label, options, ...select }: SelectFieldProps) {
  const id = useId();
  return (
    <div className={field['field']}>
      <label className={field['label']} htmlFor={id}>
        {label}
      </label>
      <select {...select} id={id} className={`${field['input'] ?? ''} ${styles['select'] ?? ''}`}>
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
