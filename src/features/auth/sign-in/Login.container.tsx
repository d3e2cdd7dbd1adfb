import {
  logoutRequested,
  selectIsEmbedded,
  selectIsStoragePartitioned,
  sessionMessages,
} from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { linkFollowed, selectLocation } from '@shared/routing/location.slice';
import { paths, withoutParameter } from '@shared/routing/paths';
import { FailureCard } from '@shared/ui/Card';
import { lazy } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { authMessages } from '../auth.messages';
import { Leaving } from './Leaving';
import { loadSecondStep } from './loadSecondStep';
import { SignedIn } from './SignedIn';
import { selectSignIn } from './signIn.selectors';
import {
  passwordSubmitted,
  providerAbandoned,
  providerChosen,
  usernameChangeRequested,
  usernameEditStarted,
  usernameSubmitted,
  type SignInState,
} from './signIn.slice';
import { UsernameStep } from './UsernameStep';

/** Fetched before the methods are shown, so that it is there when they are (`loadMethods.saga.ts`). */
const MethodStep = lazy(async () => ({ default: (await loadSecondStep()).MethodStep }));

/** For the few who meet a parent of another site. */
const OwnWindow = lazy(async () => ({ default: (await import('./OwnWindow.container')).OwnWindow }));

/** `/login`: the username step, then the methods of that username. */
export function Login() {
  const state = useSelector(selectSignIn);
  const dispatch = useDispatch();
  if (useSelector(selectIsStoragePartitioned)) return <OwnWindow />;
  return (
    <>
      <ScreenTitle screen={authMessages.signIn.submit} />
      {'methods' in state && <Methods state={state} />}
      {(state.phase === 'username' || state.phase === 'loadingMethods') && <Username state={state} />}
      {state.phase === 'leaving' && (
        <Leaving target={state.target} onLogout={() => void dispatch(logoutRequested())} />
      )}
      {state.phase === 'signedIn' && <SignedIn />}
      {state.phase === 'stopped' && (
        <FailureCard
          message={sessionMessages.fallback}
          action={{ label: sessionMessages.signOut, onClick: () => void dispatch(logoutRequested()) }}
        />
      )}
    </>
  );
}

function Username({
  state,
}: {
  readonly state: Extract<SignInState, { phase: 'username' | 'loadingMethods' }>;
}) {
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  return (
    <UsernameStep
      username={state.username}
      rememberMe={state.rememberMe}
      busy={state.phase === 'loadingMethods'}
      takesFocus={!embedded}
      onFirstInput={() => void dispatch(usernameEditStarted())}
      onSubmit={(entry) => void dispatch(usernameSubmitted(entry))}
    />
  );
}

function Methods({ state }: { readonly state: Extract<SignInState, { methods: unknown }> }) {
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  // Verify mode belongs to who came from a verification (decisions §9).
  const forgot = paths.forgotPassword(withoutParameter(useSelector(selectLocation).search, 'mode'));
  return (
    <MethodStep
      username={state.username}
      methods={state.methods.map(({ method }) => method)}
      busy={state.phase === 'submitting' ? state.method : null}
      attempt={state.failures}
      takesFocus={!embedded}
      onBack={() => void dispatch(usernameChangeRequested())}
      forgotHref={forgot}
      onForgot={() => void dispatch(linkFollowed({ to: forgot }))}
      onPassword={(password) => void dispatch(passwordSubmitted(password))}
      provider={state.phase === 'choosing' ? state.provider : null}
      onProvider={(provider) => void dispatch(providerChosen(provider))}
      onAbandonProvider={() => void dispatch(providerAbandoned())}
    />
  );
}
