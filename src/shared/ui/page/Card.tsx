import type { ReactNode, Ref } from 'react';
import { Button } from '../buttons/Button';
import layout from '../layout.module.css';
import styles from './Card.module.css';
import { TitleWords } from './TitleWords';

interface CardProps {
  /** The screen's only `h1`. */
  readonly title?: string;
  readonly lead?: string | undefined;
  /** How something ended, as a picture over the words. */
  readonly icon?: 'done' | 'failed';
  /** Above everything, such as a back link. */
  readonly above?: ReactNode;
  /** To put the focus on the title when a step changes. */
  readonly titleRef?: Ref<HTMLHeadingElement>;
  readonly children?: ReactNode;
}

/** The one thing that a screen is about. */
export function Card({ title, lead, icon, above, titleRef, children }: CardProps) {
  return (
    <section className={styles['card']}>
      {(title !== undefined || above !== undefined || icon) && (
        <div className={styles['heading']}>
          {above}
          {icon && <Icon icon={icon} />}
          {title !== undefined && (
            <h1 ref={titleRef} tabIndex={-1}>
              <TitleWords>{title}</TitleWords>
            </h1>
          )}
          {lead !== undefined && <p className={styles['lead']}>{lead}</p>}
        </div>
      )}
      {children}
    </section>
  );
}

const strokes = { done: 'm14 20.5 4.5 4.5L27 16', failed: 'M20 12v10.5m0 5v.5' } as const;

function Icon({ icon }: { readonly icon: keyof typeof strokes }) {
  return (
    <svg className={styles[icon]} width="40" height="40" viewBox="0 0 40 40" fill="none" aria-hidden="true">
      <circle cx="20" cy="20" r="19" fill="var(--icon-wash)" />
      <path
        d={strokes[icon]}
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** What went wrong, in one sentence, and the one way on. */
export interface Failure {
  readonly message: string;
  readonly action?: { readonly label: string; readonly onClick: () => void };
  readonly details?: ReactNode;
}

/** In the place of what cannot go on; said to screen readers at once. */
export function FailureCard({ message, action, details }: Failure) {
  return (
    <Card icon="failed">
      <div role="alert">
        <h1 className={layout['sentence']}>{message}</h1>
      </div>
      {action && (
        <Button variant="primary" onClick={action.onClick}>
          {action.label}
        </Button>
      )}
      {details}
    </Card>
  );
}
