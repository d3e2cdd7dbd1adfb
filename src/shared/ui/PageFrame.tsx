import type { ReactNode } from 'react';
import styles from './PageFrame.module.css';

interface PageFrameProps {
  /** Appearance only (specification §1). */
  readonly look: 'default' | 'epay';
  readonly header?: ReactNode;
  readonly footer?: ReactNode;
  /** The page stands in a parent's frame: as tall as its content. */
  readonly embedded?: boolean;
  readonly children: ReactNode;
}

/** The page around every screen: header, main part, footer. */
export function PageFrame({ look, header, footer, embedded = false, children }: PageFrameProps) {
  return (
    <div
      className={embedded ? `${styles['frame'] ?? ''} ${styles['embedded'] ?? ''}` : styles['frame']}
      data-look={look}
    >
      <div className={styles['backdrop']} />
      {header}
      <main className={styles['main']}>{children}</main>
      {footer !== undefined && <footer className={styles['footer']}>{footer}</footer>}
    </div>
  );
}
