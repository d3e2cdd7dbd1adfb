import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { Spinner } from '@shared/ui/buttons/Spinner';
import { Card, FailureCard } from '@shared/ui/page/Card';
import { Steps } from '@shared/ui/page/Steps';
import { useDispatch, useSelector } from 'react-redux';
import { confirmationMessages as words } from './confirmations.messages';
import {
  codeSubmitted,
  confirmationRetried,
  newCodeRequested,
  passkeyRequested,
  paymentDeclined,
  selectConfirmation,
  textRequested,
} from './confirmations.slice';
import { EndedCard } from './EndedCard';
import { PaymentCard } from './PaymentCard';

/** `/confirm/{id}`. */
export function ConfirmPaymentScreen() {
  const state = useSelector(selectConfirmation);
  const takesFocus = !useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  const step = 'entry' in state ? (state.entry ? 'code' : 'asking') : state.phase;
  return (
    <>
      <ScreenTitle screen={words.title} />
      <Steps step={step}>
        {state.phase === 'loading' && (
          <Card title={words.title}>
            <Spinner label={words.loading} />
          </Card>
        )}
        {state.phase === 'unreached' && (
          <FailureCard
            message={words.unreached}
            action={{ label: words.tryAgain, onClick: () => void dispatch(confirmationRetried()) }}
          />
        )}
        {'entry' in state && (
          <PaymentCard
            {...state}
            work={'by' in state ? state.by : null}
            red={state.phase === 'rejected'}
            takesFocus={takesFocus}
            onPasskey={() => void dispatch(passkeyRequested())}
            onText={() => void dispatch(textRequested())}
            onCode={(code) => void dispatch(codeSubmitted(code))}
            onResend={() => void dispatch(newCodeRequested())}
            onDecline={() => void dispatch(paymentDeclined())}
          />
        )}
        {'payment' in state && !('entry' in state) && (
          <EndedCard ending={state.phase} payment={state.payment} takesFocus={takesFocus} />
        )}
      </Steps>
    </>
  );
}
