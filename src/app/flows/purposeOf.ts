import type { Deps, Purpose } from '@shared/deps';

/** What identity is verified for, by its name; `undefined`: there is none. */
export async function purposeOf({ features }: Deps, name: string): Promise<Purpose | undefined> {
  for (const { purposes = {} } of features)
    if (Object.hasOwn(purposes, name)) return await purposes[name]?.();
  return undefined;
}
