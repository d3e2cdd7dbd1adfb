import { useLingui } from '@lingui/react';
import { logoutRequested, selectIsEmbedded, selectFrameStorage, sessionMessages } from '@features/session';
import { componentIn, createChunk } from '@shared/chunk';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useFeatures } from '@shared/contexts';
import { usernameEditStarted } from '@shared/slots';
import { Button } from '@shared/ui/buttons/Button';
import { Card, FailureCard } from '@shared/ui/page/Card';
import { Steps } from '@shared/ui/page/Steps';
import { ButtonLink } from '@shared/ui/buttons/ButtonLink';
import layout from '@shared/ui/layout.module.css';
import { useDispatch, useSelector } from 'react-redux';
import { authMessages } from '../auth.messages';
import { methodStepChunk } from './methodStepChunk';
import { selectSignIn, usernameSubmitted, type SignInState } from './signIn.slice';
import { UsernameStep } from './UsernameStep';

/** `signIn.saga.ts` loads the chunk before it shows the methods. */
const Methods = componentIn(methodStepChunk, (module) => module.Methods);

/** This chunk is loaded only under a parent of another site. */
const FrameStorage = componentIn(
  createChunk(() => import(/* webpackChunkName: "frame" */ './FrameStorage.container')),
  (module) => module.FrameStorage,
);

/** `/login`: the username step, then the methods of that username. */
export function Login() {
  const { _ } = useLingui();
  const state = useSelector(selectSignIn);
  const dispatch = useDispatch();
  if (useSelector(selectFrameStorage).phase !== 'shared') return <FrameStorage />;
  return (
    <>
      <ScreenTitle screen={_(authMessages.signIn.submit)} />
      <Steps step={stepOf(state)}>
        {'methods' in state && <Methods />}
        {'username' in state && !('methods' in state) && <Username state={state} />}
        {state.phase === 'leaving' && (
          <Leaving target={state.target} onLogout={() => void dispatch(logoutRequested())} />
        )}
        {/* In a parent's frame, which takes over. */}
        {state.phase === 'signedIn' && <Card title={_(authMessages.signIn.signedIn)} icon="done" />}
        {state.phase === 'stopped' && (
          <FailureCard
            message={_(sessionMessages.fallback)}
            action={{ label: _(sessionMessages.signOut), onClick: () => void dispatch(logoutRequested()) }}
          />
        )}
      </Steps>
    </>
  );
}

function stepOf(state: SignInState): string {
  if ('methods' in state) return 'methods';
  return 'username' in state ? 'username' : state.phase;
}

function Username({
  state,
}: {
  readonly state: Extract<SignInState, { phase: 'username' | 'loadingMethods' | 'checkingWay' }>;
}) {
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  const features = useFeatures();
  return (
    <UsernameStep
      notice={features.map(({ name, LoginNotice }) => LoginNotice && <LoginNotice key={name} />)}
      listed={features.flatMap(({ way }) => way?.autoComplete ?? [])}
      username={state.username}
      rememberMe={state.rememberMe}
      busy={state.phase !== 'username'}
      takesFocus={!embedded}
      onFirstInput={() => void dispatch(usernameEditStarted())}
      onSubmit={(entry) => void dispatch(usernameSubmitted(entry))}
    />
  );
}

/** Shown while the browser loads the application. This may take long, and the user may have stopped it. */
function Leaving({ target, onLogout }: { readonly target: string; readonly onLogout: () => void }) {
  const { _ } = useLingui();
  const { signedIn, leaving, proceed } = authMessages.signIn;
  return (
    <Card title={_(signedIn)} lead={_(leaving)} icon="done">
      <div className={layout['row']}>
        <ButtonLink to={target} reloadDocument variant="primary">
          {_(proceed)}
        </ButtonLink>
        <Button variant="quiet" onClick={onLogout}>
          {_(sessionMessages.logout)}
        </Button>
      </div>
    </Card>
  );
}
