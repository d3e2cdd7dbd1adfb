import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ForeignRoute } from '../platform/http/foreignRoutes.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import { hideToken } from './accessTokens.ts';
import { loadLibrary, type Library, type OidcContext, type Provider } from './library.ts';
import { createProvider, endpoints } from './provider.ts';

/** The body of a request has at most 56 kB, as in the library. */
const maxBodyBytes = 56 * 1024;

const discovery = '/.well-known/openid-configuration';

/** The routes of the provider; none without the setting. */
export function openIdRoutes(isOffered: boolean): readonly ForeignRoute[] {
  if (!isOffered) return [];
  const route = (name: string, path: string, ...methods: ForeignRoute['methods']): ForeignRoute => ({
    name,
    path,
    methods,
    handle: (context, request, response) => context.openId.handle(request, response),
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
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** The provider with the present keys. */
  readonly provider: () => Promise<Provider>;
}

/**
 * Makes a provider when the first request comes, and another one when the keys have changed: the library takes them once.
 *
 * @param context of the service, not of a call.
 */
export function createOpenId(context: () => ServiceContext): OpenId {
  let library: Promise<Library> | undefined;
  let made: { readonly keys: string; readonly provider: Provider } | undefined;
  const provider = async (): Promise<Provider> => {
    const loaded = await (library ??= loadLibrary());
    const keys = keysOf(context());
    if (made?.keys !== keys) made = { keys, provider: mounted(loaded, context()) };
    return made.provider;
  };
  return {
    provider,
    handle: async (request, response) => {
      const listener = (await provider()).callback();
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
  delete headers['x-forwarded-for'];
}

function mounted(library: Library, context: ServiceContext): Provider {
  const provider = createProvider(library, context);
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
    context.background.run('audit of a token that was used again', () => recordReuse(context, ctx));
  });
  provider.use(async (ctx, next) => {
    if (ctx.path === endpoints.end_session) {
      const form = ctx.method === 'POST' ? new URLSearchParams(await bodyOf(ctx.req)) : null;
      // Only this needs it.
      const { endSession } = await import('./logout.ts');
      await endSession(provider, context, ctx, form);
      return;
    }
    const takesToken = ctx.path === endpoints.introspection || ctx.path === endpoints.revocation;
    if (ctx.method === 'POST' && takesToken) replaceBody(ctx.req, hideToken(await bodyOf(ctx.req)));
    await next();
    if (ctx.path === discovery && ctx.method === 'GET')
      Object.assign(ctx.body as object, { response_modes_supported: ['query', 'form_post'] });
    keepOwnCookies(ctx, `${context.settings.openid?.cookiePrefix ?? ''}-openid=`);
  });
  return provider;
}

/** A code or a refresh token was used again: someone may have a copy. */
async function recordReuse({ db, audit }: ServiceContext, { oidc }: OidcContext): Promise<void> {
  const uid = oidc.entities.RefreshToken?.accountId ?? null;
  await audit.record(db, {
    event: 'openid-token-reuse',
    outcome: 'failure',
    uid,
    method: oidc.client.clientId,
  });
}

/** The session and the interaction of the library have no cookies: the page has those of the session. */
function keepOwnCookies({ res }: OidcContext, name: string): void {
  const set = [res.getHeader('Set-Cookie') ?? []].flat().map(String);
  const kept = set.filter((cookie) => cookie.startsWith(name));
  if (kept.length === set.length) return;
  if (kept.length === 0) res.removeHeader('Set-Cookie');
  else res.setHeader('Set-Cookie', kept);
}

/** @throws Error for a body that is too long. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Error('The body is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Lets the library read this body instead of the one that was read. */
function replaceBody(request: IncomingMessage, body: string): void {
  const bytes = Buffer.from(body);
  request.headers['content-length'] = String(bytes.length);
  Object.defineProperties(request, { readable: { value: true }, iterator: { value: () => [bytes] } });
}
