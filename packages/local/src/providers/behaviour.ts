import * as v from 'valibot';
import { providerNames, type ProviderName } from '../registration.ts';

/**
 * What goes wrong at a provider.
 *
 * - `refuse`: whatever the person answers, the application gets `error=access_denied`.
 * - `wrong-state`: the application gets a state that it did not send.
 * - `stale`: it says that the person signed in an hour ago, although they have just done it.
 * - `hang`: nothing is ever answered, neither to the browser nor to the service.
 * - `down`: every connection is dropped.
 */
export const troubles = ['none', 'refuse', 'wrong-state', 'stale', 'hang', 'down'] as const;

/** The Cross-Origin-Opener-Policy of all responses; `unsafe-none` is sent as no header, as browsers take it. */
export const openerPolicies = ['unsafe-none', 'same-origin-allow-popups', 'same-origin'] as const;

/** How a provider behaves. */
export interface ProviderBehaviour {
  readonly trouble: (typeof troubles)[number];
  readonly openerPolicy: (typeof openerPolicies)[number];
}

const changeSchema = v.strictObject({
  provider: v.picklist(providerNames),
  trouble: v.exactOptional(v.picklist(troubles)),
  openerPolicy: v.exactOptional(v.picklist(openerPolicies)),
});

/** What is not named stays as it is. */
export type BehaviourChange = v.InferOutput<typeof changeSchema>;

const normal: ProviderBehaviour = { trouble: 'none', openerPolicy: 'unsafe-none' };

/** The switches of both providers; they hold from the next request on. */
export interface Behaviours {
  readonly of: (provider: ProviderName) => ProviderBehaviour;
  readonly all: () => Readonly<Record<ProviderName, ProviderBehaviour>>;
  /** @throws ValiError when the change is none. */
  readonly change: (change: unknown) => void;
  /** Removes the faults and the opener policy of both providers. */
  readonly reset: () => void;
}

/** Switches in their first position. */
export function createBehaviours(): Behaviours {
  let present: Readonly<Record<ProviderName, ProviderBehaviour>> = { google: normal, microsoft: normal };
  return {
    of: (provider) => present[provider],
    all: () => present,
    change: (input) => {
      const { provider, ...change } = v.parse(changeSchema, input);
      present = { ...present, [provider]: { ...present[provider], ...change } };
    },
    reset: () => {
      present = { google: normal, microsoft: normal };
    },
  };
}
