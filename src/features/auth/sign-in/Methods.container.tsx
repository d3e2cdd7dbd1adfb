import { selectIsEmbedded } from '@features/session';
import { useFeatures } from '@shared/contexts';
import { selectLocation } from '@shared/routing/location.slice';
import { paths, withoutParameter } from '@vestibule/contract/paths';
import { useDispatch, useSelector } from 'react-redux';
import {
  providerAbandoned,
  providerRequested,
  selectProviderAttempt,
} from '../provider/providerAttempt.slice';
import { MethodStep } from './MethodStep';
import { passwordSubmitted, selectSignIn, usernameChangeRequested } from './signIn.slice';

/** The method step of `/login`. */
export function Methods() {
  const state = useSelector(selectSignIn);
  const dispatch = useDispatch();
  const embedded = useSelector(selectIsEmbedded);
  const ways = useFeatures().flatMap(({ name, way }) => (way ? [{ name, ...way }] : []));
  const provider = useSelector(selectProviderAttempt);
  // `mode` is for links of the verify-identity screen. See docs/behaviour.md#query-of-the-login-page.
  const forgot = paths.forgotPassword(withoutParameter(useSelector(selectLocation).search, 'mode'));
  if (!('methods' in state)) return null;
  const busy = state.phase === 'submitting' ? state.method : null;
  return (
    <MethodStep
      username={state.username}
      methods={state.methods.map(({ method }) => method)}
      busy={busy}
      failures={state.failures}
      takesFocus={!embedded}
      onBack={() => void dispatch(usernameChangeRequested())}
      forgot={forgot}
      onPassword={(password) => void dispatch(passwordSubmitted(password))}
      provider={provider}
      onProvider={(method) => void dispatch(providerRequested(method))}
      onAbandonProvider={() => void dispatch(providerAbandoned())}
      otherWays={ways.map(({ name, Button }) => (
        <Button key={name} signsIn busy={busy === name} disabled={busy !== null} />
      ))}
    />
  );
}
