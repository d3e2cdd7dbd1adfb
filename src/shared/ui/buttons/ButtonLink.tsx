import type { MouseEvent, ReactNode } from 'react';
import type { ButtonVariant } from './Button';
import button from './Button.module.css';

interface ButtonLinkProps {
  readonly href: string;
  /** Default: `secondary`. */
  readonly variant?: ButtonVariant;
  /** Called instead of the browser's own navigation on a plain click; with `ownWindow`, besides it. */
  readonly onFollow?: (() => void) | undefined;
  /** Opens in a new window, without an opener. */
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
      className={`${button['button'] ?? ''} ${button[variant] ?? ''}`}
      href={href}
      onClick={ownWindow ? onFollow : followPlainClick(onFollow)}
      {...(ownWindow && { target: '_blank', rel: 'noopener' })}
    >
      {children}
    </a>
  );
}

/**
 * Click handler for an anchor that the application follows by itself. A click with a modifier (new tab, new window,
 * download) stays the browser's.
 *
 * @param onFollow - absent: the browser follows the anchor
 */
export function followPlainClick(onFollow: (() => void) | undefined) {
  return (event: MouseEvent<HTMLAnchorElement>): void => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (!onFollow || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    onFollow();
  };
}
