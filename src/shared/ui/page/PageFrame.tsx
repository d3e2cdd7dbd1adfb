import type { ReactNode } from 'react';
import { Button } from '../buttons/Button';
import styles from './PageFrame.module.css';

interface PageFrameProps {
  /** The look of the page (docs/behaviour.md#appearance). */
  readonly look: 'default' | 'epay';
  /** The name of the brand whose theme the host's style sheet has. */
  readonly theme?: string | undefined;
  readonly header?: ReactNode;
  readonly footer?: ReactNode;
  /** The page is in a frame, so it is only as tall as its content. */
  readonly embedded?: boolean;
  readonly children: ReactNode;
}

/** The page around every screen: header, main part, footer. */
export function PageFrame({ look, theme, header, footer, embedded = false, children }: PageFrameProps) {
  return (
    <div
      className={embedded ? `${styles['frame'] ?? ''} ${styles['embedded'] ?? ''}` : styles['frame']}
      data-look={look}
      data-theme={theme}
    >
      <div className={styles['backdrop']} />
      {header}
      <main className={styles['main']}>{children}</main>
      {footer}
    </div>
  );
}

/** A button of the header. */
interface HeaderAction {
  readonly label: string;
  readonly onClick: () => void;
}

interface HeaderProps {
  /** The product's or application's name. */
  readonly label: string;
  /** Absent if there is no Back, as in a frame. */
  readonly back?: HeaderAction | undefined;
  /** Absent if no user is signed in. */
  readonly logout?: HeaderAction | undefined;
}

/** The label, Back and Logout. */
export function Header({ label, back, logout }: HeaderProps) {
  const actions = [back, logout].filter((action) => action !== undefined);
  return (
    <header className={styles['header']}>
      <span className={styles['brand']}>
        <Mark />
        <bdi translate="no">{label}</bdi>
      </span>
      {actions.length > 0 && (
        <div className={styles['actions']}>
          {actions.map((action) => (
            <Button key={action.label} className={styles['action']} onClick={action.onClick}>
              {action.label}
            </Button>
          ))}
        </div>
      )}
    </header>
  );
}

/** The mark of the product, as decoration next to its name. */
function Mark() {
  return (
    <svg width="28" height="28" viewBox="0 0 28 28" fill="none" aria-hidden="true">
      <path d="M4 25V13a10 10 0 0 1 20 0v12" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path d="M9.5 25V13.5a4.5 4.5 0 0 1 9 0V25" fill="currentColor" />
    </svg>
  );
}
