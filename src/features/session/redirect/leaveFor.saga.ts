import type { Deps } from '@shared/deps';
import type { AllowedUrl } from '@shared/ports/ports';
import { paths } from '@vestibule/contract/paths';
import { call } from '@shared/sagas/call.saga';
import { matchPath } from 'react-router-dom';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Claims } from '../claims';
import { allowRedirect, type RedirectRules } from './redirectAllowlist';

/** The destination of a signed-in user. */
export type Destination =
  | { readonly kind: 'stay' }
  | { readonly kind: 'screen'; readonly path: string }
  | { readonly kind: 'application'; readonly url: AllowedUrl };

/**
 * Applies the redirect rule (docs/behaviour.md#redirect-rule). An address that the redirect allowlist refuses counts as
 * absent.
 */
export function destinationOf(
  { personas }: Pick<Claims, 'personas'>,
  { embedded, redirectUrl }: { readonly embedded: boolean; readonly redirectUrl: string | null },
  rules: RedirectRules & Pick<Deps, 'features'>,
): Destination {
  if (embedded) return screenToReturnTo(redirectUrl ?? '', rules) ?? { kind: 'stay' };
  const onlyGroup = personas.length === 1 ? personas[0] : undefined;
  const url = allowRedirect(redirectUrl, rules) ?? allowRedirect(onlyGroup?.[0], rules);
  return url ? { kind: 'application', url } : { kind: 'screen', path: paths.accountSettings() };
}

/** In a frame the page loads no other document: it can only show a screen that led to `/login`. */
function screenToReturnTo(path: string, { features }: Pick<Deps, 'features'>): Destination | undefined {
  const leadsBack = features.some(({ routes = {} }) =>
    Object.values(routes).some((route) => route.returnsAfterLogin && matchPath(route.pattern, path)),
  );
  return leadsBack ? { kind: 'screen', path } : undefined;
}

/** The destination of the user of these claims. The query of the page may contain the `url` of the caller. */
export function whereTo(deps: Deps, claims: Pick<Claims, 'personas'>): Destination {
  return destinationOf(
    claims,
    { embedded: deps.parentFrame.embedded, redirectUrl: redirectUrlOf(deps) },
    deps,
  );
}

/** The `url` of the caller in the query of the page, which the redirect allowlist has not checked. */
export const redirectUrlOf = ({ navigation }: Deps): string | null =>
  new URLSearchParams(navigation.current().search).get('url');

/** Goes to the destination. Call it last, because leaving a route cancels its saga, and so the caller. */
export function* leaveFor({ navigation }: Deps, destination: Destination): SagaGenerator<void> {
  if (destination.kind === 'application') yield* call(navigation.leave, destination.url);
  if (destination.kind === 'screen') yield* call(navigation.replace, destination.path);
}
