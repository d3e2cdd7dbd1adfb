import { selectIsEmbedded } from '@features/session';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useVaultValue } from '@shared/contexts';
import { useDispatch, useSelector } from 'react-redux';
import { authMessages } from '../auth.messages';
import { LinkGate } from './LinkGate';
import { copyRequested, linkOpened, selectOneTimeLink } from './oneTimeLink.slice';
import { ApiKeys } from './ApiKeys';

/** `/secret-key/{hash}`: what an invited API user sees once. */
export function ApiInvite() {
  const state = useSelector(selectOneTimeLink);
  const takesFocus = !useSelector(selectIsEmbedded);
  const held = useVaultValue('apiInvite');
  const dispatch = useDispatch();
  return (
    <>
      <ScreenTitle screen={authMessages.apiInvite.title} />
      {state.phase === 'shown' && held ? (
        <ApiKeys
          {...held}
          copied={state.copied}
          takesFocus={takesFocus}
          onCopy={(which) => void dispatch(copyRequested(which))}
        />
      ) : (
        <LinkGate onOpen={state.phase === 'gate' ? () => void dispatch(linkOpened()) : null} />
      )}
    </>
  );
}
