import type { ReactNode } from 'react';
import { followPlainClick } from './followPlainClick';
import styles from './TextLink.module.css';

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
