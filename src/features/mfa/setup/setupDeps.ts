import type { Deps } from '@shared/deps';

/** What the set-up needs of the outside. */
export type SetupDeps = Pick<
  Deps,
  'api' | 'clipboard' | 'clock' | 'config' | 'cookies' | 'navigation' | 'pageLife' | 'vault'
>;
