import { formatAmount } from '@vestibule/contract/amount';
import { useLingui } from '@lingui/react';
import { filled } from '@shared/api/decoder';
import { eventDetail } from '@shared/eventDetail';
import { Name, Sentence } from '@shared/ui/Name';
import * as v from 'valibot';
import { confirmationMessages as words } from './confirmations.messages';

export { eventMessages } from './paymentEvents.messages';

const paid = v.object({
  payment: v.object({
    application: v.object({ name: filled }),
    amount: v.object({ value: filled, currency: filled }),
    payee: v.object({ name: filled }),
  }),
});

/** The payment that was confirmed or declined. */
function Payment({ payment: { application, amount, payee } }: v.InferOutput<typeof paid>) {
  const { i18n } = useLingui();
  return (
    <>
      <p>
        <Name>{formatAmount(amount, i18n.locale)}</Name>
        <span>{' · '}</span>
        <Sentence of={words.to(payee.name)} />
      </p>
      <p>
        <Sentence of={words.requestedBy(application.name)} />
      </p>
    </>
  );
}

const detail = eventDetail(paid, Payment);

/** What 'Recent activity' shows of these events. */
export const eventDetails = { 'payment-confirmed': detail, 'payment-declined': detail };
