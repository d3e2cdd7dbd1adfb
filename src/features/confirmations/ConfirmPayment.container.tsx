import { useLingui } from '@lingui/react';
import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { Spinner } from '@shared/ui/buttons/Spinner';
import { Card, FailureCard } from '@shared/ui/page/Card';
import { Steps } from '@shared/ui/page/Steps';
import { useDispatch, useSelector } from 'react-redux';
import { confirmationMessages as words } from './confirmations.messages';
import {
  confirmationRetried,
  identityRequested,
  selectPayment,
  type Method,
  type PaymentState,
} from './confirmations.slice';
import { EndedCard } from './EndedCard';
import { PaymentCard } from './PaymentCard';
import {
  codeSubmitted,
  newCodeRequested,
  passkeyRequested,
  paymentDeclined,
  selectProof,
  textRequested,
  type ProofState,
} from './proof.slice';

/** `/confirm/{id}`. */
export function ConfirmPaymentScreen() {
  const { _ } = useLingui();
  const state = useSelector(selectPayment);
  const proof = useSelector(selectProof);
  const takesFocus = !useSelector(selectIsEmbedded);
  const dispatch = useDispatch();
  return (
    <>
      <ScreenTitle screen={_(words.title)} />
      <Steps step={stepOf(state, proof)}>
        {(state.phase === 'loading' || state.phase === 'verified') && (
          <Card title={_(words.title)}>
            <Spinner label={_(words.loading)} />
          </Card>
        )}
        {state.phase === 'unreached' && (
          <FailureCard
            message={_(words.unreached)}
            action={{ label: _(words.tryAgain), onClick: () => void dispatch(confirmationRetried()) }}
          />
        )}
        {'secondsLeft' in state && <OpenPayment {...{ state, proof, takesFocus }} />}
        {'payment' in state && !('secondsLeft' in state) && (
          <EndedCard {...state} ending={state.phase} takesFocus={takesFocus} />
        )}
      </Steps>
    </>
  );
}

/** The focus is moved where the boxes appear, and where they or the buttons are gone. */
function stepOf(state: PaymentState, proof: ProofState): string {
  if (!('secondsLeft' in state)) return state.phase;
  if (state.blockedUntil !== null) return 'blocked';
  return 'entry' in proof && proof.entry ? 'code' : 'asking';
}

type Open = Extract<PaymentState, { readonly secondsLeft: number }>;

function OpenPayment({
  state,
  proof,
  takesFocus,
}: {
  readonly state: Open;
  readonly proof: ProofState;
  readonly takesFocus: boolean;
}) {
  const dispatch = useDispatch();
  if (proof.phase === 'none') return null;
  const onMethod = (method: Method): void => {
    if (state.needsIdentity) dispatch(identityRequested({ by: method }));
    else dispatch(method === 'passkey' ? passkeyRequested() : textRequested());
  };
  const work = 'by' in proof ? proof.by : 'by' in state ? state.by : null;
  return (
    <PaymentCard
      {...state}
      {...proof}
      work={work}
      red={proof.phase === 'rejected'}
      takesFocus={takesFocus}
      onMethod={onMethod}
      onCode={(code) => void dispatch(codeSubmitted(code))}
      onResend={() => void dispatch(newCodeRequested())}
      onDecline={() => void dispatch(paymentDeclined())}
    />
  );
}
