import { defineEvents } from '../core/audit/audit.ts';

export const openIdEvents = defineEvents({
  /** `method` is the client, as in the next three. The reason of a failure is the error code of OAuth. */
  'openid-sign-in': { isOfClient: true },
  /** A client did not prove who it is. `method` is the client, if there is one. */
  'openid-client': { isOfClient: true },
  'openid-consent': { isOfClient: true },
  'openid-disconnect': { activity: 'application-disconnected', isOfClient: true },
  'openid-sign-out': { activity: 'session-ended', isOfClient: true },
  /** The account is known for a refresh token only. */
  'openid-token-reuse': { isOfClient: true },
});
