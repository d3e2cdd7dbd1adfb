import { Card, FailureCard } from '@shared/ui/page/Card';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { confirmationMessages as words } from './confirmations.messages';
import type { Ending, Payment } from './confirmations.slice';
import { PaymentDetails } from './PaymentDetails';

interface EndedCardProps {
  readonly ending: Ending;
  readonly payment: Payment;
  /** `false` in a parent's frame. */
  readonly takesFocus: boolean;
}

/** Says how a confirmation has ended, and of which payment. */
export function EndedCard({ ending, payment, takesFocus }: EndedCardProps) {
  const title = useAutoFocus<HTMLHeadingElement>(takesFocus);
  const details = <PaymentDetails {...payment} />;
  const sentence = words.endings[ending];
  if (ending === 'failed' || ending === 'expired')
    return <FailureCard message={sentence} details={details} />;
  return (
    <Card titleRef={title} title={sentence} {...(ending === 'confirmed' && { icon: 'done' })}>
      {details}
    </Card>
  );
}
