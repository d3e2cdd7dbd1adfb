import layout from '@shared/ui/layout.module.css';
import { formatAmount } from './amount';
import { confirmationMessages as words } from './confirmations.messages';
import type { Payment } from './confirmations.slice';
import styles from './PaymentDetails.module.css';

/** A longer amount is written smaller, characters: one that is broken into two lines could be misread. */
const longAmount = 12;

/** The payment exactly as the proof is bound to it. */
export function PaymentDetails({ application, amount, payee, reference }: Payment) {
  const written = formatAmount(amount);
  return (
    <div className={styles['payment']}>
      <p className={styles['amount']} data-long={written.length > longAmount || undefined}>
        {written}
      </p>
      <p className={styles['payee']}>
        <Sentence of={words.to} name={payee.name} />
      </p>
      {payee.account !== undefined && (
        <p>
          <bdi>{payee.account}</bdi>
        </p>
      )}
      {reference !== null && (
        <p>
          <bdi>{reference}</bdi>
        </p>
      )}
      <p className={layout['quiet']}>
        <Sentence of={words.requestedBy} name={application.name} />
      </p>
    </div>
  );
}

/** No name contains it. */
const gap = '\0';

/** A sentence with a name, whose direction does not change that of the words around it. */
function Sentence({ of, name }: { readonly of: (name: string) => string; readonly name: string }) {
  const [before = '', after = ''] = of(gap).split(gap);
  return (
    <>
      {before !== '' && <span>{before}</span>}
      <bdi>{name}</bdi>
      {after !== '' && <span>{after}</span>}
    </>
  );
}
