import { useId, type ReactNode } from 'react';
import styles from './Section.module.css';

interface SectionProps {
  /** Its `h2`, which also names the region. */
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** One subject of a screen that has several: what is, and what can be done about it. */
export function Section({ title, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles['section']} aria-labelledby={id}>
      <div className={styles['body']}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      {actions && <div className={styles['actions']}>{actions}</div>}
    </section>
  );
}
