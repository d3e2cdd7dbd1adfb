import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ForeignContext, ForeignRoute } from '../platform/http/foreignRoutes.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import { hideToken } from './accessTokens.ts';
import { loadLibrary, type Library, type OidcContext, type Provider } from './library.ts';
import type { CallOf } from './limits.ts';
import { createProvider, endpoints, showError } from './provider.ts';
import { followRefusals } from './refusedRequests.ts';
import { faultIn, parametersOf, readBody, replaceBody } from './requestBody.ts';

const discovery = '/.well-known/openid-configuration';

/** The routes of the provider; none without the setting. */
export function openIdRoutes(isOffered: boolean): readonly ForeignRoute[] {
  if (!isOffered) return [];
  const route = (name: string, path: string, ...methods: ForeignRoute['methods']): ForeignRoute => ({
    name,
    path,
    methods,
    handle: (context, request, response) => context.openId.handle(context, request, response),
  });
  return [
    route('openidDiscovery', discovery, 'GET', 'OPTIONS'),
    route('openidAuthorization', endpoints.authorization, 'GET', 'POST'),
    route('openidResume', `${endpoints.authorization}/:id`, 'GET'),
    route('openidToken', endpoints.token, 'POST', 'OPTIONS'),
    route('openidUserinfo', endpoints.userinfo, 'GET', 'POST', 'OPTIONS'),
    route('openidIntrospection', endpoints.introspection, 'POST', 'OPTIONS'),
    route('openidRevocation', endpoints.revocation, 'POST', 'OPTIONS'),
    route('openidPushedRequest', endpoints.pushed_authorization_request, 'POST', 'OPTIONS'),
    route('openidLogout', endpoints.end_session, 'GET', 'POST'),
  ];
}

/** The OpenID provider of this process. */
export interface OpenId {
  readonly handle: (
    call: ForeignContext,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<void>;
  /** The provider with the present keys. */
  readonly provider: () => Promise<Provider>;
}

/**
 * Makes a provider when the first request comes, and another one when the keys have changed: the library takes them once.
 *
 * @param context of the service, not of a call.
 */
export function createOpenId(context: () => ServiceContext): OpenId {
  const calls = new WeakMap<IncomingMessage, ForeignContext>();
  const callOf: CallOf = ({ req }) => {
    const call = calls.get(req);
    if (call === undefined) throw new Error('The request is not one of these routes.');
    return call;
  };
  let library: Promise<Library> | undefined;
  let made: { readonly keys: string; readonly provider: Provider } | undefined;
  const provider = async (): Promise<Provider> => {
    const loaded = await (library ??= loadLibrary());
    const keys = keysOf(context());
    if (made?.keys !== keys) made = { keys, provider: mounted(loaded, context(), callOf) };
    return made.provider;
  };
  return {
    provider,
    handle: async (call, request, response) => {
      const listener = (await provider()).callback();
      calls.set(request, call);
      addressAsIssuer(request, context().settings.issuer);
      // The library's pages need a script, and windows of applications wait for its redirects.
      response.setHeader(
        'Content-Security-Policy',
        "default-src 'none'; script-src; base-uri 'none'; frame-ancestors 'none'",
      );
      response.setHeader('Cross-Origin-Opener-Policy', 'unsafe-none');
      const sent = once(response, 'close');
      listener(request, response);
      await sent;
    },
  };
}

const keysOf = ({ keys }: ServiceContext): string =>
  [keys.signer().kid, ...keys.all().map(({ kid, rsa }) => kid + (rsa?.kid ?? ''))].join(' ');

/** Addresses in responses are those of the issuer, whatever the client or a proxy has written. */
function addressAsIssuer({ headers }: IncomingMessage, issuer: string): void {
  const { protocol, host } = new URL(issuer);
  headers['x-forwarded-proto'] = protocol.slice(0, -1);
  headers['x-forwarded-host'] = host;
}

function mounted(library: Library, context: ServiceContext, callOf: CallOf): Provider {
  const provider = createProvider(library, context, callOf);
  const { logger } = context.settings;
  const report = (error: Error): void => {
    const at = error.stack?.split('\n')[1]?.trim() ?? '';
    logger.error('openid request failed', { reason: error.message, at });
  };
  provider.on('error', report);
  provider.on('server_error', (_ctx: unknown, error: Error) => {
    report(error);
  });
  provider.on('grant.revoked', (ctx: OidcContext) => {
    if (ctx.oidc.route !== 'token') return;
    context.background.run('audit of a token that was used again', () => recordReuse(callOf(ctx), ctx));
  });
  const recordRefusal = followRefusals(provider, callOf);
  provider.use(async (ctx, next) => {
    const body = ctx.method === 'POST' ? await readBody(ctx.req) : undefined;
    const fault = faultIn(ctx, body);
    if (fault !== null) {
      logger.info('openid request refused', { ...fault });
      ctx.status = fault.status;
      showError(context, ctx, { error: 'invalid_request', error_description: fault.reason });
      if (ctx.path === endpoints.authorization)
        callOf(ctx).audit.count('openid-sign-in', null, 'invalid_request');
      return;
    }
    const parameters = parametersOf(ctx.req, body);
    if (ctx.path === endpoints.end_session) {
      // Loaded with the texts of its page, which only this needs.
      const { endSession } = await import('./logout.ts');
      await endSession(provider, callOf(ctx), ctx, parameters);
      return;
    }
    const takesToken = ctx.path === endpoints.introspection || ctx.path === endpoints.revocation;
    if (ctx.method === 'POST' && takesToken) replaceBody(ctx.req, hideToken(parameters));
    await next();
    await recordRefusal(ctx);
    if (ctx.path === discovery && ctx.method === 'GET')
      Object.assign(ctx.body as object, { response_modes_supported: ['query', 'form_post'] });
    dropCookies(ctx, `${context.settings.openid?.cookiePrefix ?? ''}-openid-`);
  });
  return provider;
}

/** A code or a refresh token was used again: someone may have a copy. */
async function recordReuse(
  { db, audit }: Pick<ServiceContext, 'db' | 'audit'>,
  { oidc }: OidcContext,
): Promise<void> {
  const uid = oidc.entities.RefreshToken?.accountId ?? null;
  await audit.record(db, {
    event: 'openid-token-reuse',
    outcome: 'failure',
    uid,
    method: oidc.client.clientId,
  });
}

/** The session and the interaction of the library have no cookies: the page has those of the session. */
function dropCookies({ res }: OidcContext, start: string): void {
  const set = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
  const kept = set.filter((cookie) => !cookie.startsWith(start));
  if (kept.length === set.length) return;
  if (kept.length === 0) res.removeHeader('Set-Cookie');
  else res.setHeader('Set-Cookie', kept);
}
