import { createLiveApi, type LiveApi, type LiveApiOptions } from '@shared/api/liveApi';

/** The real calls, with those of the extensions. */
export async function createAllCalls(options: LiveApiOptions): Promise<LiveApi> {
  const { extensions, ...calls } = createLiveApi(options);
  return { ...calls, ...(await extensions()) };
}
