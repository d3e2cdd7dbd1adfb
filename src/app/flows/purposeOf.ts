import type { Deps, Purpose } from '@shared/deps';

/** Finds the purpose of verify identity by its name. */
export async function purposeOf({ features }: Deps, name: string): Promise<Purpose | undefined> {
  for (const { purposes = {} } of features)
    if (Object.hasOwn(purposes, name)) return await purposes[name]?.();
  return undefined;
}
