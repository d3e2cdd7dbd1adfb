import { useLingui } from '@lingui/react';
import { ButtonLink } from '@shared/ui/buttons/ButtonLink';
import { Card, FailureCard } from '@shared/ui/page/Card';
import { Sentence } from '@shared/ui/Name';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { confirmationMessages as words } from './confirmations.messages';
import type { Ending, PaymentState } from './confirmations.slice';
import { PaymentDetails } from './PaymentDetails';
import styles from './PaymentDetails.module.css';

interface EndedCardProps extends Pick<
  Extract<PaymentState, { readonly phase: Ending }>,
  'payment' | 'returnUrl'
> {
  readonly ending: Ending;
  /** `false` in a parent's frame. */
  readonly takesFocus: boolean;
}

/** Says how a confirmation has ended, and of which payment. Without a decision a link leads back to the application. */
export function EndedCard({ ending, payment, returnUrl, takesFocus }: EndedCardProps) {
  const { _ } = useLingui();
  const title = useAutoFocus<HTMLHeadingElement>(takesFocus);
  const details = <PaymentDetails {...payment} />;
  const sentence = words.endings[ending];
  if (ending === 'confirmed' || ending === 'declined')
    return (
      <Card titleRef={title} title={_(sentence)} {...(ending === 'confirmed' && { icon: 'done' })}>
        {details}
      </Card>
    );
  const back = returnUrl !== null && (
    <ButtonLink to={returnUrl} reloadDocument>
      <span className={styles['back']}>
        <Sentence of={words.backTo(payment.application.name)} />
      </span>
    </ButtonLink>
  );
  return (
    <FailureCard
      message={_(sentence)}
      details={
        <>
          {details}
          {back}
        </>
      }
    />
  );
}
