import { Button } from '@shared/ui/buttons/Button';
import { TextLink } from '@shared/ui/buttons/links';
import layout from '@shared/ui/layout.module.css';
import { Card } from '@shared/ui/page/Card';
import { useAutoFocus } from '@shared/ui/useAutoFocus';
import { paths } from '@vestibule/contract/paths';
import { CodeForm, type CodeFormProps } from './CodeForm';
import { confirmationMessages as words } from './confirmations.messages';
import type { Methods, Payment } from './confirmations.slice';
import { PaymentDetails } from './PaymentDetails';

interface PaymentCardProps extends Pick<CodeFormProps, 'red' | 'takesFocus' | 'onCode' | 'onResend'> {
  readonly payment: Payment;
  readonly methods: Methods;
  /** The code boxes, once a text message was sent. */
  readonly entry: CodeFormProps['entry'] | null;
  /** What is in progress. */
  readonly work: 'passkey' | 'text' | 'code' | 'decline' | null;
  readonly onPasskey: () => void;
  readonly onText: () => void;
  readonly onDecline: () => void;
}

/** Asks the user to confirm a payment, or to decline it. */
export function PaymentCard({ payment, methods, entry, work, ...rest }: PaymentCardProps) {
  const { red, takesFocus, onPasskey, onText, onCode, onResend, onDecline } = rest;
  // If there is a code field, it has the focus.
  const title = useAutoFocus<HTMLHeadingElement>(takesFocus && !entry);
  const disabled = work !== null || red;
  return (
    <Card titleRef={title} title={words.title}>
      <PaymentDetails {...payment} />
      {entry && <CodeForm {...{ entry, work, red, takesFocus, onCode, onResend }} />}
      {!methods.passkey && !methods.text && (
        <div>
          <p>{words.noMethod}</p>
          <p>
            <TextLink to={paths.accountSettings()}>{words.accountSettings}</TextLink>
          </p>
        </div>
      )}
      <div className={layout['tight']}>
        {methods.passkey && (
          <Button
            wide
            variant={entry ? 'secondary' : 'primary'}
            busy={work === 'passkey'}
            disabled={disabled}
            onClick={onPasskey}
          >
            {words.passkey}
          </Button>
        )}
        {methods.text && !entry && (
          <Button
            wide
            variant={methods.passkey ? 'secondary' : 'primary'}
            busy={work === 'text'}
            disabled={disabled}
            onClick={onText}
          >
            {words.text}
          </Button>
        )}
        <Button wide busy={work === 'decline'} disabled={disabled} onClick={onDecline}>
          {words.decline}
        </Button>
      </div>
    </Card>
  );
}
