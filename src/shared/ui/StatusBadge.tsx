import type { ReactNode } from 'react';
import styles from './StatusBadge.module.css';

/** A short word for a good state. */
export function StatusBadge({ children }: { readonly children: ReactNode }) {
  return <span className={styles['badge']}>{children}</span>;
}
