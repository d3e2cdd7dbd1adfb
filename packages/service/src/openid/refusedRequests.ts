import type { EventEmitter } from 'node:events';
import type Provider from 'oidc-provider';
import type { errors, KoaContextWithOIDC } from 'oidc-provider';
import { recordRefusal } from '../core/audit/refusals.ts';
import type { RefusedRequest } from './tables.ts';
import type { OpenIdCall } from './context.ts';
import { openIdEvents } from './events.ts';
import { callOf } from './familySession.ts';
import { keepRefusal } from './refusals.ts';

/** Refusals that say something about the caller, as the class `Refusal` does. The others are only counted. */
const verdicts: ReadonlySet<string> = new Set([
  'access_denied',
  'invalid_client',
  'invalid_redirect_uri',
  'unmet_authentication_requirements',
]);

/** Outcomes of authorization requests that say nothing about how the client is integrated. */
const outcomes: ReadonlySet<string> = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'login_required',
  'temporarily_unavailable',
  'unmet_authentication_requirements',
]);

interface Stateful {
  readonly state: { refusal?: errors.OIDCProviderError };
}

/**
 * Follows the refusals of requests.
 *
 * @returns records the refusal of a request, if there was one, before its response.
 */
export function followRefusals(provider: Provider): (ctx: KoaContextWithOIDC) => Promise<void> {
  for (const kind of [
    'authorization',
    'end_session',
    'grant',
    'introspection',
    'pushed_authorization_request',
    'revocation',
  ])
    (provider as EventEmitter).on(`${kind}.error`, ({ state }: Stateful, error: errors.OIDCProviderError) => {
      state.refusal = error;
    });
  return async (ctx) => {
    const { refusal } = ctx.state as Stateful['state'];
    if (refusal === undefined) return;
    const { route, entities } = ctx.oidc;
    if (!outcomes.has(refusal.message))
      await explain(callOf(ctx), entities.Client?.clientId ?? null, {
        endpoint: route,
        error: refusal.message,
        reason: reasonOf(refusal),
      });
    await audit(callOf(ctx), ctx, refusal.message);
  };
}

/** Tells the operator why a request of a client was refused. */
export async function explain(
  call: OpenIdCall,
  client: string | null,
  refusal: Pick<RefusedRequest, 'endpoint' | 'error' | 'reason'>,
): Promise<void> {
  const { logger } = call.settings;
  logger.info('openid request refused', { client, ...refusal });
  if (client === null || call.limit('refusals of clients') !== null) return;
  // The client still gets the refusal.
  await keepRefusal(call, client, refusal).catch((cause: unknown) => {
    logger.error('a refusal was not kept', { reason: cause instanceof Error ? cause.message : 'unknown' });
  });
}

/** The detail of the library, which quotes no secrets; the parser of JSON quotes the text. */
function reasonOf({
  error_description = '',
  error_detail = '',
  cause,
}: errors.OIDCProviderError): RefusedRequest['reason'] {
  const reason = error_detail === '' || cause instanceof SyntaxError ? error_description : error_detail;
  return reason.replace(/[^ -~]/g, '?').slice(0, 200);
}

async function audit(
  call: OpenIdCall,
  { oidc: { route, session, entities } }: KoaContextWithOIDC,
  reason: string,
): Promise<void> {
  const isRequest = /^(?:authorization|resume)/.test(route);
  if (!isRequest && reason !== 'invalid_client') return;
  const event = isRequest ? openIdEvents['openid-sign-in'] : openIdEvents['openid-client'];
  const method = entities.Client?.clientId ?? null;
  // Anyone can cause any number of them.
  if (!verdicts.has(reason) || call.limit('refusals') !== null) call.audit.count(event, method, reason);
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
}
