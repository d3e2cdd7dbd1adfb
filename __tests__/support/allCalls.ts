import { callsOf, features } from '@app/features';
import { createLiveApi, type LiveApiOptions } from '@shared/api/liveApi';
import type { Calls } from './callRow';

/** The real calls, with those of the extensions. */
export async function createAllCalls(options: LiveApiOptions): Promise<Calls> {
  const { made, ...calls } = createLiveApi(options);
  const groups = Object.entries(callsOf(features)).map(async ([group, load]) => [
    group,
    made((await load()).calls),
  ]);
  const all: Partial<Calls> = { ...calls, ...(Object.fromEntries(await Promise.all(groups)) as object) };
  return all as Calls;
}
