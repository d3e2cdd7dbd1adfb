import type { AllowedUrl } from '@shared/platform/platform';
import type { Claims } from './claims';
import { allowRedirect, type DoorRules } from './redirectDoor';

/** Where a signed-in user goes. */
export type Destination =
  | { readonly kind: 'stay' }
  | { readonly kind: 'accountSettings' }
  | { readonly kind: 'application'; readonly url: AllowedUrl };

/**
 * The redirect rule (specification §4, login flow 6): nothing happens in an iframe; a redirect given by the caller
 * wins; one persona group goes to its first address; everybody else lands on account settings. An address that the
 * door refuses counts as not given.
 */
export function destinationOf(
  { personas }: Pick<Claims, 'personas'>,
  { embedded, redirectUrl }: { readonly embedded: boolean; readonly redirectUrl: string | null },
  rules: DoorRules,
): Destination {
  if (embedded) return { kind: 'stay' };
  const onlyGroup = personas.length === 1 ? personas[0] : undefined;
  const url = allowRedirect(redirectUrl, rules) ?? allowRedirect(onlyGroup?.[0], rules);
  return url ? { kind: 'application', url } : { kind: 'accountSettings' };
}
