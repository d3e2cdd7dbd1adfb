import { selectAccess } from '@features/session';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';
import type { RouteAccess } from './routes';

/**
 * Shows a screen only to somebody who may see it. Nobody else sees anything: `runRoutes.saga.ts` is already
 * sending them elsewhere. A screen that outlives its session has said so when that ended.
 */
export function RouteGate({
  access,
  children,
}: {
  readonly access: RouteAccess;
  readonly children: ReactNode;
}) {
  const who = useSelector(selectAccess);
  const mayEnter =
    access === 'public' ||
    who.phase === 'active' ||
    (access === 'setup' && who.phase === 'setup') ||
    'staysHere' in who;
  return mayEnter ? children : null;
}
