import { componentIn, createOptionalChunk } from '@shared/chunk';
import { useSelector } from 'react-redux';
import { selectEndNotice } from './endNotice.slice';

/**
 * This view is in the chunk of the live events. It is loaded by then, because the live events report that the service has
 * ended a session.
 */
const EndNotice = componentIn(
  createOptionalChunk(() => import(/* webpackChunkName: "events" */ './EndNotice')),
  (module) => module.EndNotice,
);

/** Says at `/login` why the session ended. */
export function LoginNotice() {
  const ended = useSelector(selectEndNotice);
  return ended.phase === 'announced' && <EndNotice reason={ended.reason} />;
}
