import type { Deps } from '@shared/deps';

/** What keeping a session alive needs of the outside. */
export type RefreshDeps = Pick<
  Deps,
  | 'api'
  | 'cookies'
  | 'config'
  | 'clock'
  | 'locks'
  | 'log'
  | 'navigation'
  | 'pageLife'
  | 'parentFrame'
  | 'vault'
>;
