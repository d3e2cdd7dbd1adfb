import type { MessageDescriptor } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { logoutRequested, selectSignInName } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { Spinner } from '@shared/ui/buttons/Spinner';
import { Card, FailureCard } from '@shared/ui/page/Card';
import { Steps } from '@shared/ui/page/Steps';
import { useDispatch, useSelector } from 'react-redux';
import { continueMessages as words } from './continue.messages';
import {
  applicationOpened,
  codeSubmitted,
  newCodeRequested,
  requestAnswered,
  requestRetried,
  selectContinue,
  type ContinueState,
} from './continue.slice';
import { ContinueCard } from './ContinueCard';
import { OverCard } from './OverCard';
import { SecondStepCard } from './SecondStepCard';

/** `/continue/{id}`. */
export function ContinueScreen() {
  const { _ } = useLingui();
  const state = useSelector(selectContinue);
  const username = useSelector(selectSignInName);
  const dispatch = useDispatch();
  return (
    <>
      <ScreenTitle screen={_(titleOf(state))} />
      <Steps step={stepOf(state)}>
        {state.phase === 'loading' && (
          <Card title={_(words.continue)}>
            <Spinner label={_(words.loading)} />
          </Card>
        )}
        {state.phase === 'unreached' && (
          <FailureCard
            message={_(words.unreached)}
            action={{ label: _(words.tryAgain), onClick: () => void dispatch(requestRetried()) }}
          />
        )}
        {state.phase === 'over' && (
          <OverCard
            name={state.application.name}
            busy={state.isLeaving}
            onOpen={() => void dispatch(applicationOpened())}
          />
        )}
        {'entry' in state && (
          <SecondStepCard
            {...state}
            username={username}
            onCode={(code) => void dispatch(codeSubmitted(code))}
            onResend={() => void dispatch(newCodeRequested())}
            onCancel={() => void dispatch(requestAnswered({ allow: false }))}
          />
        )}
        {'request' in state && !('entry' in state) && (
          <ContinueCard
            request={state.request}
            username={username}
            answered={state.phase === 'asking' ? null : state.phase === 'proving' || state.allow}
            onAnswer={(allow) => void dispatch(requestAnswered({ allow }))}
            onOtherAccount={() => void dispatch(logoutRequested())}
          />
        )}
      </Steps>
    </>
  );
}

function titleOf(state: ContinueState): MessageDescriptor {
  if (state.phase === 'over') return words.title(state.application.name);
  return 'request' in state ? words.title(state.request.name) : words.continue;
}

/** The focus is moved where the boxes appear. */
function stepOf(state: ContinueState): string {
  if ('entry' in state) return 'code';
  return 'request' in state ? 'asking' : state.phase;
}
