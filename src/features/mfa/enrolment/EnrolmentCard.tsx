import { BackLink } from '@shared/ui/buttons/links';
import { Card } from '@shared/ui/page/Card';
import layout from '@shared/ui/layout.module.css';
import type { ReactNode, Ref } from 'react';
import { mfaMessages } from '../mfa.messages';

interface SetupCardProps {
  /** Absent: the choice of a method, before the two steps. */
  readonly step?: 1 | 2;
  /** What the step is about. */
  readonly heading?: string;
  readonly backLabel: string;
  readonly back: string;
  /** Lets the screen move the focus to the title. */
  readonly titleRef?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}

const steps = 2;

/** What the screens of the enrolment have in common. */
export function EnrolmentCard({ step, heading, backLabel, back, titleRef, children }: SetupCardProps) {
  return (
    <Card
      title={mfaMessages.enrolmentTitle}
      {...(titleRef && { titleRef })}
      above={<BackLink label={backLabel} to={back} />}
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
