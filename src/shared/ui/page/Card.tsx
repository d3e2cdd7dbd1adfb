import type { ReactNode, Ref } from 'react';
import { Button } from '../buttons/Button';
import layout from '../layout.module.css';
import styles from './Card.module.css';
import { TitleWords } from './TitleWords';

interface CardProps {
  /** The screen's only `h1`. */
  readonly title?: ReactNode;
  readonly lead?: ReactNode;
  /** The picture above the title of a result. */
  readonly icon?: 'done' | 'failed';
  /** Shown above the title, such as a back link. */
  readonly above?: ReactNode;
  /** The title, so that a step can focus it. */
  readonly titleRef?: Ref<HTMLHeadingElement>;
  readonly children?: ReactNode;
}

/** The card of a screen with one subject. */
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

/** A failure in one sentence, and what the user can do. */
export interface Failure {
  readonly message: string;
  readonly action?: { readonly label: string; readonly onClick: () => void };
  readonly details?: ReactNode;
}

/** Replaces a screen that cannot continue. Screen readers say it at once. */
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
