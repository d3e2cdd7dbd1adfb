import type { Deps } from '@shared/deps';
import { paths } from '@shared/routing/paths';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Claims } from './claims';
import { destinationOf, type Destination } from './destination';

/**
 * Where somebody who is signed in goes from this page (specification §4, login flow 6). The address that the caller
 * gave is read from the page's own query.
 */
export function whereTo(
  { navigation, parentFrame, config }: Pick<Deps, 'navigation' | 'parentFrame' | 'config'>,
  claims: Pick<Claims, 'personas'>,
): Destination {
  const redirectUrl = new URLSearchParams(navigation.current().search).get('url');
  return destinationOf(claims, { embedded: parentFrame.embedded, redirectUrl }, config);
}

/**
 * Goes there. The saga that asks may be cancelled by it: leaving a route ends the route's work, so this comes last.
 */
export function* leaveFor(
  { navigation }: Pick<Deps, 'navigation'>,
  destination: Destination,
): SagaGenerator<void> {
  if (destination.kind === 'application') yield* call(navigation.leave, destination.url);
  if (destination.kind === 'accountSettings') yield* call(navigation.replace, paths.accountSettings());
}
