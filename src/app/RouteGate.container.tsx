import { selectAccess } from '@features/session';
import type { RouteAccess } from '@shared/routing/paths';
import type { ReactNode } from 'react';
import { useSelector } from 'react-redux';

/**
 * Shows a screen only to somebody who may see it. Nobody else sees anything: `flows/routeAccess.saga.ts` is already
 * sending them elsewhere.
 */
export function RouteGate({
  access,
  children,
}: {
  readonly access: RouteAccess;
  readonly children: ReactNode;
}) {
  const { phase } = useSelector(selectAccess);
  const mayEnter = access === 'public' || phase === 'active' || (access === 'setup' && phase === 'setup');
  return mayEnter ? children : null;
}
