import type * as contract from '@contract/schema.gen';
import * as v from 'valibot';
import type { LoginMethod } from './api';
import { decoderOf, partOf } from './decoder';

const filled = v.pipe(v.string(), v.nonEmpty());

const entry = partOf<contract.LoginMethod>()(
  v.object({ method: v.string(), configuration: v.optional(v.unknown()) }),
);
const configuration = partOf<contract.MicrosoftConfiguration>()(
  v.object({ tenantId: filled, clientId: filled }),
);

/**
 * The login methods: known ones, each once, in the service's order. What we do not know, and entries that are broken,
 * are left out (decisions §2); Microsoft without a usable configuration stays, because section 8 has an error for it.
 */
export const loginMethods = decoderOf<contract.LoginMethods>()(
  v.pipe(
    v.array(v.unknown()),
    v.transform((entries): readonly LoginMethod[] => {
      const known = entries.flatMap((given) => readMethod(given) ?? []);
      return known.filter(
        ({ method }, index) => known.findIndex((other) => other.method === method) === index,
      );
    }),
  ),
);

function readMethod(given: unknown): LoginMethod | null {
  const { success, output } = v.safeParse(entry, given);
  if (!success) return null;
  switch (output.method) {
    case 'basic':
    case 'google':
      return { method: output.method };
    case 'microsoft': {
      const result = v.safeParse(configuration, output.configuration);
      return result.success
        ? { method: output.method, configuration: result.output }
        : { method: output.method };
    }
    default:
      return null;
  }
}
