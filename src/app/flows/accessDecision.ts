import type { RouteAccess } from '@shared/routing/paths';

/** What the cookies hold that is still valid. */
export interface ValidSessions {
  readonly session: boolean;
  readonly setup: boolean;
}

/** Whether somebody may enter, or where they go instead. */
export type AccessDecision = 'enter' | 'login' | 'accountSettings';

/**
 * The guards and the two catch-all rules (specification §2).
 *
 * @param access - who may enter the route; `null`: no route of ours
 */
export function decideAccess(access: RouteAccess | null, { session, setup }: ValidSessions): AccessDecision {
  if (access === 'public') return 'enter';
  if (!session && !setup) return 'login';
  if (access === null) return 'accountSettings';
  // A setup-mode session alone is accepted on the setup routes only (specification §2; decisions §9).
  return session || access === 'setup' ? 'enter' : 'accountSettings';
}
