import { useSyncExternalStore } from 'react';
import type { Claims, Session } from './index.ts';

/**
 * The signed-in user; `null` if no user is signed in, or the page is rendered on a server. The session is kept fresh while
 * the component is shown.
 */
export function useSession(session: Session): Claims | null {
  return useSyncExternalStore(session.subscribe, session.current, signedOut);
}

const signedOut = () => null;
