import type { ReactNode } from 'react';
import { followPlainClick } from './ButtonLink';
import styles from './links.module.css';

interface BackLinkProps {
  /** The text of the link, of any length. */
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
