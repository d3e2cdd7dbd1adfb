import type { Deps } from '@shared/deps';

/** What keeping a session alive needs of the outside. */
export type RefreshDeps = Pick<
  Deps,
  | 'api'
  | 'broadcast'
  | 'cookies'
  | 'config'
  | 'clock'
  | 'locks'
  | 'log'
  | 'navigation'
  | 'notes'
  | 'pageLife'
  | 'parentFrame'
  | 'random'
  | 'vault'
>;
