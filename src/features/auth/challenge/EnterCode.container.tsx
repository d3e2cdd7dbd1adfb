import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { componentIn, createChunk } from '@shared/chunk';
import { useConfig } from '@shared/contexts';
import { selectLocation } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import { useLink } from '@shared/routing/useLink';
import { BackLink, TextLink } from '@shared/ui/buttons/links';
import { Card } from '@shared/ui/page/Card';
import { useDispatch, useSelector } from 'react-redux';
import { challengeMessages } from './challenge.messages';
import {
  codeKindSwitched,
  codeSubmitted,
  newCodeRequested,
  selectChallenge,
  type ChallengeState,
} from './challenge.slice';
import { EnterCodeForm, ResendCode } from './EnterCodeForm';

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

/** Fetched when it is asked for. */
const RecoveryForm = componentIn(
  createChunk(() => import('./RecoveryForm')),
  (module) => module.RecoveryForm,
);

const statuses = {
  issued: 'opening',
  entering: 'ready',
  checking: 'checking',
  rejected: 'rejected',
} as const;

function Challenge({ state }: { readonly state: Exclude<ChallengeState, { phase: 'none' }> }) {
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  const offersRecovery = useConfig().extensions.includes('recovery-codes');
  const { search } = useSelector(selectLocation);
  const { recovery } = challengeMessages;
  const { restarts, keepsCode, byRecovery, resend } =
    state.phase === 'issued'
      ? { restarts: 0, keepsCode: false, byRecovery: false, resend: 'ready' as const }
      : state;
  const Form = byRecovery ? RecoveryForm : EnterCodeForm;
  return (
    <>
      <Form
        status={statuses[state.phase]}
        restarts={restarts}
        keepsCode={keepsCode}
        takesFocus={!embedded}
        onSubmit={(entered) => void dispatch(codeSubmitted(entered))}
      />
      {state.challenge.mfaType === 'authy' && !byRecovery && (
        <ResendCode
          status={resend}
          disabled={state.phase === 'issued' || state.phase === 'checking'}
          onResend={() => void dispatch(newCodeRequested())}
        />
      )}
      {offersRecovery && (
        <p>
          <TextLink href={paths.twoAuth(search)} onFollow={() => void dispatch(codeKindSwitched())}>
            {byRecovery ? recovery.back : recovery.use}
          </TextLink>
        </p>
      )}
    </>
  );
}
