import { useLingui } from '@lingui/react';
import { Button } from '@shared/ui/buttons/Button';
import { TextLink } from '@shared/ui/buttons/links';
import { useDates } from '@shared/ui/date';
import { CodeForm, type CodeFormProps } from '@shared/ui/fields/CodeForm';
import layout from '@shared/ui/layout.module.css';
import { Card } from '@shared/ui/page/Card';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { paths } from '@vestibule/contract/paths';
import { confirmationMessages as words } from './confirmations.messages';
import type { Method, Methods, PaymentState } from './confirmations.slice';
import { elementMessages } from './elements.messages';
import { PaymentDetails } from './PaymentDetails';
import { TimeLeft } from './TimeLeft';

type OpenPayment = Extract<PaymentState, { readonly phase: 'open' }>;

interface PaymentCardProps
  extends
    Pick<OpenPayment, 'payment' | 'waiting' | 'blockedUntil' | 'readAt' | 'secondsLeft'>,
    Pick<CodeFormProps, 'red' | 'takesFocus' | 'onCode' | 'onResend'> {
  readonly methods: Methods;
  /** The code boxes, once a text message was sent. */
  readonly entry: (CodeFormProps['entry'] & { readonly lastFourPhone: string }) | null;
  /** What is in progress. */
  readonly work: 'passkey' | 'text' | 'code' | 'decline' | null;
  readonly onMethod: (method: Method) => void;
  readonly onDecline: () => void;
}

/** Asks the user to confirm a payment, or to decline it. */
export function PaymentCard(props: PaymentCardProps) {
  const { _ } = useLingui();
  const { payment, methods, entry, work, secondsLeft } = props;
  const { red, takesFocus, onMethod, onCode, onResend, onDecline } = props;
  // If there is a code field, it has the focus.
  const title = useAutoFocus<HTMLHeadingElement>(takesFocus && !entry);
  const disabled = work !== null || red;
  return (
    <Card titleRef={title} title={_(words.title)}>
      <PaymentDetails {...payment} />
      <TimeLeft secondsLeft={secondsLeft} />
      {entry && (
        <CodeForm
          texts={words}
          {...{ entry, work, red, takesFocus, onCode, onResend }}
          sent={_(words.sent(entry.lastFourPhone))}
        />
      )}
      <WhatIsMissing {...props} />
      <div className={layout['tight']}>
        {methods.passkey && (
          <Button
            wide
            variant={entry ? 'secondary' : 'primary'}
            busy={work === 'passkey'}
            disabled={disabled}
            onClick={() => onMethod('passkey')}
          >
            {_(words.passkey)}
          </Button>
        )}
        {methods.text && !entry && (
          <Button
            wide
            variant={methods.passkey ? 'secondary' : 'primary'}
            busy={work === 'text'}
            disabled={disabled}
            onClick={() => onMethod('text')}
          >
            {_(words.text)}
          </Button>
        )}
        <Button wide busy={work === 'decline'} disabled={disabled} onClick={onDecline}>
          {_(words.decline)}
        </Button>
      </div>
    </Card>
  );
}

/** Why a method has no button. */
function WhatIsMissing({
  methods,
  waiting,
  blockedUntil,
  readAt,
}: Pick<PaymentCardProps, 'methods' | 'waiting' | 'blockedUntil' | 'readAt'>) {
  const { _ } = useLingui();
  const { formatTimeNear } = useDates();
  if (blockedUntil !== null) return <p>{_(words.blocked(formatTimeNear(blockedUntil, readAt)))}</p>;
  const sentences = (['passkey', 'text'] as const).flatMap((method) => {
    const from = waiting[method];
    return from === undefined ? [] : [elementMessages.from[method](formatTimeNear(from, readAt))];
  });
  if (sentences.length > 0)
    return (
      <div className={layout['tight']}>
        {sentences.map((sentence) => (
          <p key={sentence.id}>{_(sentence)}</p>
        ))}
      </div>
    );
  if (methods.passkey || methods.text) return null;
  return (
    <div>
      <p>{_(words.noMethod)}</p>
      <p>
        <TextLink to={paths.accountSettings()}>{_(words.accountSettings)}</TextLink>
      </p>
    </div>
  );
}
