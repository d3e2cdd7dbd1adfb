import type { Feature } from '@shared/deps';
import { calls } from './revoke.calls';

/**
 * Ends sessions at the service as well (docs/behaviour.md#extensions). It does not wait and ignores failures, because a
 * sign-out must work without a network. The call is in the first bundle, because the page may be left in the same turn.
 */
export const revoke = {
  name: 'revoke',
  calls: { revoke: () => Promise.resolve({ calls }) },
  endAtService: ({ api }, token) => void api.revoke.end(token).catch(() => undefined),
} as const satisfies Feature;
