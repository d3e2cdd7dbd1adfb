import { formatAmount } from '@vestibule/contract/amount';
import { useLingui } from '@lingui/react';
import layout from '@shared/ui/layout.module.css';
import { Name, Sentence } from '@shared/ui/Name';
import { confirmationMessages as words } from './confirmations.messages';
import type { Payment } from './confirmations.slice';
import styles from './PaymentDetails.module.css';

/** A longer amount is written smaller, characters: one that is broken into two lines could be misread. */
const longAmount = 12;

/** The payment exactly as the proof is bound to it. */
export function PaymentDetails({ application, amount, payee, reference }: Payment) {
  const { i18n, _ } = useLingui();
  const written = formatAmount(amount, i18n.locale);
  const { account } = payee;
  return (
    <div className={styles['payment']}>
      <p className={styles['amount']} translate="no" data-long={written.length > longAmount || undefined}>
        {written}
      </p>
      <p className={styles['payee']}>
        <Sentence of={words.to(payee.name)} />
      </p>
      {(account !== undefined || reference !== null) && (
        <dl className={styles['facts']}>
          {account !== undefined && <Fact label={_(words.account)} value={account} />}
          {reference !== null && <Fact label={_(words.reference)} value={reference} />}
        </dl>
      )}
      <p className={layout['quiet']}>
        <Sentence of={words.requestedBy(application.name)} />
      </p>
    </div>
  );
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <Name>{value}</Name>
      </dd>
    </div>
  );
}
