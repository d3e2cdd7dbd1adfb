import type { ComponentPropsWithRef } from 'react';
import styles from './Checkbox.module.css';

interface CheckboxProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'className' | 'style'> {
  readonly label: string;
}

/** A checkbox whose label can be pressed. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  return (
    <label className={styles['checkbox']}>
      <input {...input} type="checkbox" className={styles['box']} />
      <span>{label}</span>
    </label>
  );
}
