import { logoutRequested, selectSignInName } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { Spinner } from '@shared/ui/buttons/Spinner';
import { Card, FailureCard } from '@shared/ui/page/Card';
import { Steps } from '@shared/ui/page/Steps';
import { useDispatch, useSelector } from 'react-redux';
import { continueMessages as words } from './continue.messages';
import { requestAnswered, requestRetried, selectContinue } from './continue.slice';
import { ContinueCard } from './ContinueCard';

/** `/continue/{id}`. */
export function ContinueScreen() {
  const state = useSelector(selectContinue);
  const username = useSelector(selectSignInName);
  const dispatch = useDispatch();
  return (
    <>
      <ScreenTitle screen={'request' in state ? words.title(state.request.name) : words.continue} />
      <Steps step={'request' in state ? 'asking' : state.phase}>
        {state.phase === 'loading' && (
          <Card title={words.continue}>
            <Spinner label={words.loading} />
          </Card>
        )}
        {state.phase === 'unreached' && (
          <FailureCard
            message={words.unreached}
            action={{ label: words.tryAgain, onClick: () => void dispatch(requestRetried()) }}
          />
        )}
        {'request' in state && (
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
