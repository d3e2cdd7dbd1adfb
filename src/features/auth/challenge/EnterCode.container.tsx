import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { componentIn, createOptionalChunk } from '@shared/chunk';
import { useConfig } from '@shared/contexts';
import { selectLocation } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import { useLink } from '@shared/routing/useLink';
import { BackLink } from '@shared/ui/buttons/links';
import { Card } from '@shared/ui/page/Card';
import { useDispatch, useSelector } from 'react-redux';
import { PasskeyButton } from '../passkeys/PasskeyButton';
import { challengeMessages } from './challenge.messages';
import { codeSubmitted, newCodeRequested, selectChallenge, type ChallengeState } from './challenge.slice';
import { EnterCodeForm, ResendCode, type EnterCodeFormProps } from './EnterCodeForm';

/** `/two-auth`. Without a challenge the card is empty; the screen's work redirects to `/login`. */
export function EnterCode() {
  const login = useLink(paths.login(useSelector(selectLocation).search));
  const state = useSelector(selectChallenge);
  const { title, text, backToLogin } = challengeMessages;
  return (
    <>
      <ScreenTitle screen={title} />
      <Card
        title={title}
        lead={text}
        above={<BackLink label={backToLogin} href={login.href} onClick={login.onFollow} />}
      >
        {state.phase !== 'none' && <Challenge state={state} />}
      </Card>
    </>
  );
}

/** With the extension `recovery-codes`. */
const recoveryChunk = createOptionalChunk(() => import('./RecoveryPart.container'));
const RecoveryForm = componentIn(recoveryChunk, (module) => module.RecoveryForm);
const RecoveryLink = componentIn(recoveryChunk, (module) => module.RecoveryLink);

const statuses = {
  issued: 'opening',
  entering: 'ready',
  checking: 'checking',
  askingPasskey: 'waiting',
  rejected: 'rejected',
} as const;

function Challenge({ state }: { readonly state: Exclude<ChallengeState, { phase: 'none' }> }) {
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  const { extensions } = useConfig();
  const { restarts, keepsCode, byRecovery, resend } =
    state.phase === 'issued'
      ? { restarts: 0, keepsCode: false, byRecovery: false, resend: 'ready' as const }
      : state;
  const asksForText = !byRecovery && state.challenge.secondStep === 'text';
  const form: EnterCodeFormProps = {
    status: statuses[state.phase],
    restarts,
    keepsCode,
    takesFocus: !embedded,
    onSubmit: (entered) => void dispatch(codeSubmitted(entered)),
  };
  return (
    <>
      {byRecovery ? <RecoveryForm {...form} /> : <EnterCodeForm {...form} />}
      {asksForText && (
        <ResendCode
          status={resend}
          disabled={['issued', 'checking', 'askingPasskey'].includes(state.phase)}
          onResend={() => void dispatch(newCodeRequested())}
        />
      )}
      {extensions.includes('passkeys') && (
        <PasskeyButton busy={state.phase === 'askingPasskey'} disabled={state.phase !== 'entering'} />
      )}
      {extensions.includes('recovery-codes') && <RecoveryLink isOpen={byRecovery} />}
    </>
  );
}
