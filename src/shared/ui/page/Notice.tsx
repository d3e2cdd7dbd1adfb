import type { ReactNode } from 'react';
import styles from './Notice.module.css';

interface NoticeProps {
  /** Default: `info`. `danger` is said at once (`alert`), the others politely (`status`). */
  readonly tone?: 'info' | 'success' | 'warning' | 'danger';
  /** Empty: the notice is not visible. Render it before its first text, so that screen readers announce that text. */
  readonly children?: ReactNode;
}

/** A line about what happened. Give it another `key` to have the same text announced again. */
export function Notice({ tone = 'info', children }: NoticeProps) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={`${styles['notice'] ?? ''} ${styles[tone] ?? ''}`}
    >
      {children}
    </div>
  );
}
