import type { ReactNode } from 'react';
import styles from './WidePage.module.css';

interface WidePageProps {
  /** The screen's only `h1`. */
  readonly title: string;
  /** `Section`s. */
  readonly children: ReactNode;
}

/** A screen of several sections, wider than a card. */
export function WidePage({ title, children }: WidePageProps) {
  return (
    <div className={styles['page']}>
      <h1 tabIndex={-1} className={styles['title']}>
        {title}
      </h1>
      {children}
    </div>
  );
}
