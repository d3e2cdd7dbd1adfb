import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import { useDispatch, useSelector } from 'react-redux';
import { authMessages } from '../auth.messages';
import { LinkGate } from './LinkGate';
import { linkOpened, selectOneTimeLink } from './oneTimeLink.slice';

/** `/redirect/{magiclinkId}`: what stands there while the link is followed. */
export function MagicLink() {
  const { phase } = useSelector(selectOneTimeLink);
  const dispatch = useDispatch();
  return (
    <>
      <ScreenTitle screen={authMessages.oneTimeLink.title} />
      <LinkGate onOpen={phase === 'gate' ? () => void dispatch(linkOpened()) : null} />
    </>
  );
}
