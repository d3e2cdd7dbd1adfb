import type { ReactNode } from 'react';
import styles from './Notice.module.css';

interface NoticeProps {
  /** Default: `info`. `danger` is said at once (`alert`), the others politely (`status`). */
  readonly tone?: 'info' | 'success' | 'warning' | 'danger';
  /** Nothing: the notice waits unseen. Render it before there is something to say, so that it is said. */
  readonly children?: ReactNode;
}

/** A line that tells what happened. To have the same words said again, give it another `key`. */
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
