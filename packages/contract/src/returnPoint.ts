/**
 * The return point of the provider window (docs/behaviour.md#return-point), compared exactly: the only path without
 * an opener policy. Other spellings lead to screens that need that policy.
 */
export const returnPoint = '/oauth-redirect';
