import type { operations } from './schema.gen.ts';

/**
 * Calls of somebody who signs in that may be carried out once more when a process or the database was lost on the way and nobody knows how
 * far they came. To the user that is what pressing again would be: a second refresh is answered with the same tokens, a second sign-in
 * opens the session of which the answer arrives, and what counts once (a code, a link) is refused a second time by everybody. Calls of a signed-in
 * user that change or send something are not among them.
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
