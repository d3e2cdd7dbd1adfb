import type { MouseEvent, ReactNode } from 'react';
import button from './Button.module.css';
import type { ButtonVariant } from './Button';
import styles from './links.module.css';

interface BackLinkProps {
  /** Where it leads or what it goes back from; it may be of any length. */
  readonly label: string;
  /** With an address it is an anchor, without one a button. */
  readonly href?: string | undefined;
  /** Called on a plain click instead of the browser's own navigation. */
  readonly onClick?: (() => void) | undefined;
  /** Says what it does where the label alone does not, such as a username. */
  readonly description?: string;
}

/** The way back to the step or screen before. */
export function BackLink({ label, href, onClick, description }: BackLinkProps) {
  const content = (
    <>
      <Arrow />
      <span className={styles['words']}>{label}</span>
    </>
  );
  return href === undefined ? (
    <button type="button" className={styles['back']} title={description} onClick={onClick}>
      {content}
    </button>
  ) : (
    <a className={styles['back']} href={href} title={description} onClick={followPlainClick(onClick)}>
      {content}
    </a>
  );
}

function Arrow() {
  return (
    <svg
      className={styles['arrow']}
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      aria-hidden="true"
    >
      <path
        d="M15 9H3.5M8 4 3 9l5 5"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

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
      className={`${button['button'] ?? ''} ${button[variant] ?? ''}`}
      href={href}
      onClick={followPlainClick(onFollow)}
      {...(ownWindow && { target: '_blank', rel: 'noopener' })}
    >
      {children}
    </a>
  );
}

interface TextLinkProps {
  readonly href: string;
  /** Called instead of the browser's own navigation on a plain click. */
  readonly onFollow?: (() => void) | undefined;
  readonly children: ReactNode;
}

/** A link in words. */
export function TextLink({ href, onFollow, children }: TextLinkProps) {
  return (
    <a className={styles['link']} href={href} onClick={followPlainClick(onFollow)}>
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
function followPlainClick(onFollow: (() => void) | undefined) {
  return (event: MouseEvent<HTMLAnchorElement>): void => {
    const { button, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (!onFollow || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    onFollow();
  };
}
