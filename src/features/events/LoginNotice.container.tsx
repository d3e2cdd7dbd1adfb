import { componentIn, createOptionalChunk } from '@shared/chunk';
import { useSelector } from 'react-redux';
import { selectEndNotice } from './endNotice.slice';

/** Shown only after the service has ended a session. The live events report that, so their chunk, which has this view, is loaded. */
const EndNotice = componentIn(
  createOptionalChunk(() => import(/* webpackChunkName: "events" */ './EndNotice')),
  (module) => module.EndNotice,
);

/** Why the session ended. */
export function LoginNotice() {
  const ended = useSelector(selectEndNotice);
  return ended.phase === 'announced' && <EndNotice reason={ended.reason} />;
}
