import { recordRefusal } from '../platform/audit/refusals.ts';
import type { EventEmitter } from 'node:events';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { callOf } from './familySession.ts';

/** Refusals that say something about the caller, as in `coreVerdicts`. The others are only counted. */
const verdicts: ReadonlySet<string> = new Set([
  'access_denied',
  'invalid_client',
  'invalid_redirect_uri',
  'unmet_authentication_requirements',
]);

/**
 * Follows the refusals of authorization requests, and of clients that do not prove who they are.
 *
 * @returns records the refusal of a request, if there was one, before its response.
 */
export function followRefusals(provider: Provider): (ctx: KoaContextWithOIDC) => Promise<void> {
  for (const kind of [
    'authorization',
    'pushed_authorization_request',
    'grant',
    'introspection',
    'revocation',
  ])
    (provider as EventEmitter).on(`${kind}.error`, (ctx: KoaContextWithOIDC, { message }: Error) => {
      ctx.state['refusal'] = message;
    });
  return async (ctx) => {
    const reason = ctx.state['refusal'] as string | undefined;
    if (reason === undefined) return;
    const { route, session, entities } = ctx.oidc;
    const isRequest = /^(?:authorization|resume)/.test(route);
    if (!isRequest && reason !== 'invalid_client') return;
    const event = isRequest ? 'openid-sign-in' : 'openid-client';
    const method = entities.Client?.clientId ?? null;
    const call = callOf(ctx);
    // Anyone can cause any number of them.
    if (!verdicts.has(reason) || (await call.limit('refusals')) !== null)
      call.audit.count(event, method, reason);
    else
      await recordRefusal(
        call,
        {
          event,
          ...(method === null ? {} : { method }),
          ...(session?.accountId === undefined ? {} : { uid: session.accountId }),
        },
        reason,
      );
  };
}
