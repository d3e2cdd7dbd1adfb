import type { ReactNode } from 'react';
import styles from './Button.module.css';
import type { ButtonVariant } from './Button';
import { followPlainClick } from './followPlainClick';

interface ButtonLinkProps {
  readonly href: string;
  /** Default: `secondary`. */
  readonly variant?: ButtonVariant;
  /** Called instead of the browser's own navigation on a plain click. */
  readonly onFollow?: (() => void) | undefined;
  /** Opens in a window of its own, which learns nothing of this one. */
  readonly ownWindow?: boolean;
  readonly children: ReactNode;
}

/** A link that looks like a button: it leads somewhere, and is a real anchor for that. */
export function ButtonLink({
  href,
  variant = 'secondary',
  onFollow,
  ownWindow = false,
  children,
}: ButtonLinkProps) {
  return (
    <a
      className={`${styles['button'] ?? ''} ${styles[variant] ?? ''}`}
      href={href}
      onClick={followPlainClick(onFollow)}
      {...(ownWindow && { target: '_blank', rel: 'noopener' })}
    >
      {children}
    </a>
  );
}
