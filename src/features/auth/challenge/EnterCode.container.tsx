import { useLingui } from '@lingui/react';
import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useFeatures } from '@shared/contexts';
import { selectLocation } from '@shared/routing/location.slice';
import { paths } from '@vestibule/contract/paths';
import type { EnteredCode } from '@shared/slots';
import { BackLink } from '@shared/ui/buttons/links';
import { ResendCode } from '@shared/ui/fields/ResendCode';
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
import { EnterCodeForm } from './EnterCodeForm';

/** `/two-auth`. Without a challenge the card is empty, and the saga redirects to `/login`. */
export function EnterCode() {
  const { _ } = useLingui();
  const { search } = useSelector(selectLocation);
  const state = useSelector(selectChallenge);
  const { title, text, backToLogin } = challengeMessages;
  return (
    <>
      <ScreenTitle screen={_(title)} />
      <Card
        title={_(title)}
        lead={_(text)}
        above={<BackLink label={_(backToLogin)} to={paths.login(search)} />}
      >
        {state.phase !== 'none' && <Challenge state={state} />}
      </Card>
    </>
  );
}

const statuses = {
  issued: 'opening',
  entering: 'ready',
  checking: 'checking',
  otherWay: 'waiting',
  rejected: 'rejected',
} as const;

function Challenge({ state }: { readonly state: Exclude<ChallengeState, { phase: 'none' }> }) {
  const { _ } = useLingui();
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  const ways = useFeatures();
  const { search } = useSelector(selectLocation);
  const { trustDevice, submit } = challengeMessages;
  const { restarts, keepsCode, by, resend } =
    state.phase === 'issued' ? { restarts: 0, keepsCode: false, by: null, resend: 'ready' as const } : state;
  const asksForText = by === null && state.challenge.secondStep === 'text';
  const Form = ways.find(({ name }) => name === by)?.secondStep?.Form;
  const form = {
    status: statuses[state.phase],
    texts: { trustDevice: _(trustDevice), submit: _(submit) },
    restarts,
    keepsCode,
    takesFocus: !embedded,
    onSubmit: (entered: EnteredCode) => void dispatch(codeSubmitted(entered)),
  };
  return (
    <>
      {Form ? <Form {...form} /> : <EnterCodeForm {...form} />}
      {asksForText && (
        <ResendCode
          status={resend}
          disabled={['issued', 'checking', 'otherWay'].includes(state.phase)}
          onResend={() => void dispatch(newCodeRequested())}
        />
      )}
      {ways.map(
        ({ name, way }) =>
          way && (
            <way.Button
              key={name}
              busy={state.phase === 'otherWay' && state.way === name}
              disabled={state.phase !== 'entering'}
            />
          ),
      )}
      {ways.map(
        ({ name, secondStep }) =>
          secondStep && (
            <secondStep.Switch
              key={name}
              isOpen={by === name}
              href={paths.twoAuth(search)}
              onSwitch={() => void dispatch(codeKindSwitched(by === name ? null : name))}
            />
          ),
      )}
    </>
  );
}
