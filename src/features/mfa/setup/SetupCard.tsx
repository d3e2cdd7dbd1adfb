import { BackLink } from '@shared/ui/BackLink';
import { Card } from '@shared/ui/Card';
import layout from '@shared/ui/layout.module.css';
import type { ReactNode, Ref } from 'react';
import { mfaMessages } from '../mfa.messages';

/** Where a link leads, and what follows it within the application. */
export interface WayBack {
  readonly href: string;
  readonly onFollow: () => void;
}

interface SetupCardProps {
  /** Which of the two steps this is; absent: the choice before them. */
  readonly step?: 1 | 2;
  /** What the step is about. */
  readonly heading?: string;
  readonly backLabel: string;
  readonly back: WayBack;
  /** To put the focus on the title. */
  readonly titleRef?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}

const steps = 2;

/** What the screens of the set-up have in common (specification §2 Setup screens). */
export function SetupCard({ step, heading, backLabel, back, titleRef, children }: SetupCardProps) {
  return (
    <Card
      title={mfaMessages.setupTitle}
      {...(titleRef && { titleRef })}
      above={<BackLink label={backLabel} href={back.href} onClick={back.onFollow} />}
    >
      {step !== undefined && (
        <div>
          <p className={layout['quiet']}>{mfaMessages.step(step, steps)}</p>
          <h2>{heading}</h2>
        </div>
      )}
      {children}
    </Card>
  );
}
