import type { ReactNode } from 'react';
import styles from './Notice.module.css';

interface NoticeProps {
  /** Default: `info`. Screen readers say `danger` at once (`alert`) and the others politely (`status`). */
  readonly tone?: 'info' | 'success' | 'warning' | 'danger';
  /** Empty: the notice is not visible. Render it before its first text, so that screen readers announce that text. */
  readonly children?: ReactNode;
}

/** A text about what happened. With another `key`, the same text is announced again. */
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
