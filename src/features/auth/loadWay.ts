import type { Deps, Way } from '@shared/deps';

/** Loads another way to sign in by the name of its feature. */
export async function loadWay(
  { features }: Deps,
  wanted: string,
): Promise<Awaited<ReturnType<Way['work']['load']>>> {
  return (await features.find(({ name }) => name === wanted)?.way?.work.load()) ?? {};
}
