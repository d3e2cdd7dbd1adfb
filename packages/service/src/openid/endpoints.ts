import { once, type EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import type { errors, KoaContextWithOIDC } from 'oidc-provider';
import type { Client } from '../core/clients/clients.ts';
import { CommandError } from '../platform/commandError.ts';
import type { ForeignRoute } from '../core/http/foreignRoutes.ts';
import { KeyFault } from '../platform/security/secretBox.ts';
import type { OpenId, OpenIdContext } from './context.ts';
import { openIdEvents } from './events.ts';
import { keepRawSecret } from './basicCredentials.ts';
import { callOf } from './familySession.ts';
import { interact, interactionPath } from './interactions.ts';
import { createProvider, endpoints, noteFault, showError, type FaultyState } from './provider.ts';
import { followRefusals } from './refusedRequests.ts';
import { faultIn, parametersOf, readBody } from './requestBody.ts';

const discovery = '/.well-known/openid-configuration';

/** The routes of the provider; none without the setting. */
export function openIdRoutes(isOffered: boolean): readonly ForeignRoute<OpenIdContext>[] {
  if (!isOffered) return [];
  const route = (
    name: string,
    path: string,
    ...methods: ForeignRoute['methods']
  ): ForeignRoute<OpenIdContext> => ({
    name,
    path,
    methods,
    handle: (context, request, response) => context.openId.handle(context, request, response),
  });
  return [
    route('openidDiscovery', discovery, 'GET', 'HEAD', 'OPTIONS'),
    route('openidAuthorization', endpoints.authorization, 'GET', 'POST'),
    route('openidResume', `${endpoints.authorization}/:id`, 'GET'),
    route('openidInteraction', `${interactionPath}/:id`, 'GET'),
    route('openidToken', endpoints.token, 'POST', 'OPTIONS'),
    route('openidUserinfo', endpoints.userinfo, 'GET', 'POST', 'OPTIONS'),
    route('openidIntrospection', endpoints.introspection, 'POST', 'OPTIONS'),
    route('openidRevocation', endpoints.revocation, 'POST', 'OPTIONS'),
    route('openidPushedRequest', endpoints.pushed_authorization_request, 'POST', 'OPTIONS'),
    route('openidLogout', endpoints.end_session, 'GET', 'POST'),
  ];
}

/**
 * Makes a provider when the first request comes, and another one when the keys have changed: the library takes them once.
 *
 * @param context of the service, not of a call.
 */
export function createOpenId(context: () => OpenIdContext): OpenId {
  let made: { readonly keys: string; readonly provider: Provider } | undefined;
  const provider = async (): Promise<Provider> => {
    const library = await import('oidc-provider');
    const keys = keysOf(context());
    if (made?.keys !== keys)
      made = { keys, provider: mounted(createProvider(library, context()), context()) };
    return made.provider;
  };
  return {
    provider,
    handle: async (call, request, response) => {
      // The caller may hang up while the library loads, so the end of the response is awaited from here on.
      const sent = once(response, 'close');
      const listener = (await provider()).callback();
      request.openIdCall = call;
      addressAsIssuer(request, context().settings.issuer);
      response.setHeader('Content-Security-Policy', policyFor(request, context().settings));
      // Windows of applications wait for redirects.
      response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
      // Wait for both: if the caller hangs up, the response closes while the library is still working.
      await Promise.all([listener(request, response), sent]);
    },
  };
}

/**
 * Lets the library read a client.
 *
 * @throws CommandError with the reason of a refusal.
 */
export async function checkClient(context: OpenIdContext, client: Client): Promise<void> {
  if (context.settings.openid === undefined) return;
  const clients = { ...context.clients, find: () => Promise.resolve(client) };
  const { Client: models } = await createOpenId(() => ({ ...context, clients })).provider();
  await models.find(client.id).catch((error: unknown) => {
    const { error_description: description, error_detail: detail } =
      error as Partial<errors.OIDCProviderError>;
    if (description === undefined) throw error;
    const reason = [description, detail].filter((part) => part !== undefined).join(': ');
    throw new CommandError(`OpenID Connect refuses the client: ${reason}.`);
  });
}

/** @throws KeyFault without the keys for both algorithms: a code would be used up by a response that cannot be signed. */
function keysOf({ keys }: OpenIdContext): string {
  const all = keys.all();
  if (all.every(({ rsa }) => rsa === null)) throw new KeyFault('This process has no RSA key.');
  return [keys.signer().kid, ...all.map(({ kid, rsa }) => kid + (rsa?.kid ?? ''))].join(' ');
}

/** The library adds its script. A frame of the family may renew without a page (`prompt=none`, `form_post`). */
function policyFor(request: IncomingMessage, { openid, issuer }: OpenIdContext['settings']): string {
  const domain = openid?.cookieDomain?.replace(/^\./, '');
  const isRequest = request.url?.startsWith(endpoints.authorization) === true;
  const isSilent = isRequest && parametersOf(request).get('prompt') === 'none' && domain !== undefined;
  const { protocol } = new URL(issuer);
  const ancestors = isSilent ? `${protocol}//${domain}:* ${protocol}//*.${domain}:*` : "'none'";
  return `default-src 'none'; script-src; base-uri 'none'; frame-ancestors ${ancestors}`;
}

/** Addresses in responses are those of the issuer, whatever the client or a proxy has written. */
function addressAsIssuer({ headers }: IncomingMessage, issuer: string): void {
  const { protocol, host } = new URL(issuer);
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-host'] = host;
}

/** The name of the work. */
export const reuseAudit = 'audit of a token that was used again';

/** Checks requests before the library reads them, and completes its responses. */
function mounted(provider: Provider, context: OpenIdContext): Provider {
  const { logger } = context.settings;
  const report = (error: Error): void => {
    const at = error.stack?.split('\n')[1]?.trim() ?? '';
    logger.error('openid request failed', { reason: error.message, at });
  };
  (provider as EventEmitter).on('error', report);
  provider.on('server_error', (ctx, error) => {
    if (!noteFault(ctx, error)) report(error);
  });
  provider.on('grant.revoked', (ctx) => {
    if (ctx.oidc.route !== 'token') return;
    context.background.run(reuseAudit, () => recordReuse(ctx));
  });
  provider.on('grant.error', (ctx, { error_detail: detail }) => {
    // RFC 9449 §5; the library says `invalid_grant`.
    if (detail === 'DPoP proof JWT not provided')
      ctx.body = { error: 'invalid_dpop_proof', error_description: detail };
  });
  const recordRefusal = followRefusals(provider);
  provider.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!noteFault(ctx, error)) throw error;
    }
    const { fault } = ctx.state as FaultyState;
    if (fault === undefined) return;
    ctx.respond = false;
    callOf(ctx).fail(fault);
  });
  provider.use(async (ctx, next) => {
    const body = ctx.method === 'POST' ? await readBody(ctx.req) : undefined;
    const fault = faultIn(ctx, body);
    if (fault !== null) {
      logger.info('openid request refused', { ...fault });
      ctx.status = fault.status;
      showError(context, ctx, { error: 'invalid_request', error_description: fault.reason });
      if (ctx.path === endpoints.authorization)
        callOf(ctx).audit.count(openIdEvents['openid-sign-in'], null, 'invalid_request');
      return;
    }
    const [, interaction] = /^\/oidc\/interaction\/([^/]+)\/?$/.exec(ctx.path) ?? [];
    if (interaction !== undefined) {
      await interact(provider, callOf(ctx), ctx, decodeURIComponent(interaction));
      return;
    }
    if (ctx.path === endpoints.end_session) {
      // Loaded with the texts of its page, which only this needs.
      const { endSession } = await import('./logout.ts');
      await endSession(provider, callOf(ctx), ctx, parametersOf(ctx.req, body));
      return;
    }
    keepRawSecret(ctx.req);
    await next();
    if ((ctx.state as FaultyState).fault !== undefined) return;
    await recordRefusal(ctx as KoaContextWithOIDC);
    complete(ctx as KoaContextWithOIDC);
  });
  return provider;
}

/** What clients expect, and the library does not send. */
function complete(ctx: KoaContextWithOIDC): void {
  if (ctx.path === discovery && ctx.method === 'GET')
    Object.assign(ctx.body as object, { response_modes_supported: ['query', 'form_post'] });
  // An empty body has no content type.
  if (ctx.path === endpoints.revocation && ctx.body === '') ctx.remove('Content-Type');
  keepAddress(ctx);
}

/** What the library adds to a registered address (RFC 6749 §4.1.2, RFC 9207). */
const responseParameters = ['code', 'state', 'iss', 'error', 'error_description'];

/** The library writes the query of a registered address in another encoding; applications compare it byte by byte. */
function keepAddress(ctx: KoaContextWithOIDC): void {
  const location = ctx.response.get('Location');
  if (location === '' || !ctx.path.startsWith(endpoints.authorization)) return;
  const address = ctx.oidc.params?.['redirect_uri'];
  const url = URL.parse(location);
  if (typeof address !== 'string' || !address.includes('?') || url === null) return;
  // The page of the family has another address.
  if (url.origin !== URL.parse(address)?.origin || url.pathname !== URL.parse(address)?.pathname) return;
  const own = [...url.searchParams].filter(([name]) => responseParameters.includes(name));
  ctx.set('Location', `${address}&${new URLSearchParams(own).toString()}`);
}

/** A code or a refresh token was used again: someone may have a copy. */
async function recordReuse(ctx: KoaContextWithOIDC): Promise<void> {
  const { db, audit } = callOf(ctx);
  const { entities, client } = ctx.oidc;
  await audit.record(db, {
    event: openIdEvents['openid-token-reuse'],
    outcome: 'failure',
    uid: entities.RefreshToken?.accountId ?? null,
    ...(client === undefined ? {} : { method: client.clientId }),
  });
}
