import { Link, type LinkProps } from 'react-router-dom';
import styles from './links.module.css';

export interface BackLinkProps {
  /** The text of the link, of any length. */
  readonly label: string;
  /** With an address it is an anchor, without one a button. */
  readonly to?: string;
  /** Called on a plain click instead of the browser's own navigation. */
  readonly onClick?: () => void;
  /** What the link does, if the label is only a name. */
  readonly description?: string;
}

/** The link back to the previous step or screen. */
export function BackLink({ label, to, onClick, description }: BackLinkProps) {
  const content = (
    <>
      <Arrow />
      {/* Has its own direction, so that a label that is too long is cut at its end. */}
      <bdi className={styles['words']} translate={description === undefined ? undefined : 'no'}>
        {label}
      </bdi>
    </>
  );
  return to === undefined ? (
    <button type="button" className={styles['back']} title={description} onClick={onClick}>
      {content}
    </button>
  ) : (
    <Link discover="none" className={styles['back']} to={to} title={description}>
      {content}
    </Link>
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

/** A link in words. */
export function TextLink(link: LinkProps) {
  return <Link discover="none" className={styles['link']} {...link} />;
}
