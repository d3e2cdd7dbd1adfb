/**
 * The return point of the providers' window (docs/behaviour.md#return-point), to the letter: the one path without an opener policy, and
 * the one that the router takes for it. Any other spelling leads to a screen that has to come with the policy.
 */
export const returnPoint = '/oauth-redirect';
