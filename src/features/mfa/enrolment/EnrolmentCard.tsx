import { useLingui } from '@lingui/react';
import { BackLink } from '@shared/ui/buttons/links';
import { Card } from '@shared/ui/page/Card';
import layout from '@shared/ui/layout.module.css';
import type { ReactNode, Ref } from 'react';
import { mfaMessages } from '../mfa.messages';

interface SetupCardProps {
  /** Absent at the choice of a method, which comes before the two steps. */
  readonly step?: 1 | 2;
  /** What the step is about. */
  readonly heading?: string;
  readonly backLabel: string;
  readonly back: string;
  /** The title, so that the screen can focus it. */
  readonly titleRef?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}

const steps = 2;

/** The card around each screen of the enrolment. */
export function EnrolmentCard({ step, heading, backLabel, back, titleRef, children }: SetupCardProps) {
  const { _ } = useLingui();
  return (
    <Card
      title={_(mfaMessages.enrolmentTitle)}
      {...(titleRef && { titleRef })}
      above={<BackLink label={backLabel} to={back} />}
    >
      {step !== undefined && (
        <div>
          <p className={layout['quiet']}>{_(mfaMessages.step(step, steps))}</p>
          <h2>{heading}</h2>
        </div>
      )}
      {children}
    </Card>
  );
}
