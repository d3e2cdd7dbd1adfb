import { useLingui } from '@lingui/react';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useVaultValue } from '@shared/contexts';
import { linkGateMessages } from '@shared/ui/linkGate.messages';
import { LinkGate } from '@shared/ui/page/LinkGate';
import { useDispatch, useSelector } from 'react-redux';
import { linkMessages } from './links.messages';
import { ApiKeys } from './ApiKeys';
import { copyRequested, linkOpened, selectOneTimeLink } from './oneTimeLink.slice';
import { Steps } from '@shared/ui/page/Steps';

/** `/redirect/{magiclinkId}`: shown until the link is exchanged. */
export function MagicLink() {
  const { _ } = useLingui();
  return (
    <>
      <ScreenTitle screen={_(linkGateMessages.title)} />
      <Gate />
    </>
  );
}

/** `/secret-key/{hash}`: shows an invited API user's key and secret once. */
export function ApiInvite() {
  const { _ } = useLingui();
  const state = useSelector(selectOneTimeLink);
  const held = useVaultValue('apiInvite');
  const dispatch = useDispatch();
  return (
    <>
      <ScreenTitle screen={_(linkMessages.apiInvite.title)} />
      <Steps step={state.phase === 'shown' && held ? 'shown' : 'gate'}>
        {state.phase === 'shown' && held ? (
          <ApiKeys {...held} copied={state.copied} onCopy={(which) => void dispatch(copyRequested(which))} />
        ) : (
          <Gate />
        )}
      </Steps>
    </>
  );
}

function Gate() {
  const { phase } = useSelector(selectOneTimeLink);
  const dispatch = useDispatch();
  return <LinkGate onOpen={phase === 'gate' ? () => void dispatch(linkOpened()) : null} />;
}
