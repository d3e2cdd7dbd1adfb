import type { operations } from './schema.gen.ts';

/**
 * Calls that may be retried when a process or the database was lost and their outcome is unknown. A retry has the
 * effect of a second call by the user: a second refresh gets the same tokens, a second sign-in opens another session,
 * and a code or link that was consumed is refused. Calls of a signed-in user that change or send something are not
 * repeatable.
 */
export const repeatable: ReadonlySet<keyof operations> = new Set([
  'getLoginMethods',
  'createToken',
  'refreshToken',
  'revokeSession',
  'getUser',
  'getAuthyInfo',
  'requestPasswordReset',
  'resetPassword',
  'activateAccount',
]);
