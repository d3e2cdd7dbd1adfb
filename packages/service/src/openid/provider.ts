import type { EventEmitter } from 'node:events';
import { decodeJwt } from 'jose';
import type Provider from 'oidc-provider';
import type { Configuration, Grant, KoaContextWithOIDC } from 'oidc-provider';
import { isDatabaseAway } from '../platform/database/retry.ts';
import { KeyFault } from '../platform/security/secretBox.ts';
import type { OpenIdContext } from './context.ts';
import { acrOf, levelOf } from '../session/authentication.ts';
import { accessTokenLength, adapterOf } from './artifacts.ts';
import { extraMetadata, metadataOf } from './clientMetadata.ts';
import {
  callOf,
  connect,
  latestOf,
  librarySessions,
  sessionOf,
  type RequestContext,
} from './familySession.ts';
import { idIn, interactionPath, interactionSeconds } from './interactions.ts';
import { overrideMembers, type Limit } from './overrides.ts';
import { claimsOfScopes, findPerson } from './person.ts';
import { clientOf, factsOf, noteLevelAsked, policyOf, type Library } from './policy.ts';

/** The addresses of the endpoints. */
export const endpoints = {
  authorization: '/oidc/auth',
  token: '/oidc/token',
  userinfo: '/oidc/userinfo',
  introspection: '/oidc/introspection',
  revocation: '/oidc/revocation',
  pushed_authorization_request: '/oidc/request',
  end_session: '/oidc/logout',
  jwks: '/.well-known/jwks.json',
} as const;

/** How long a code lives, an ID token and an access token that is a JWT are valid, and a client assertion may live, in seconds. */
const [codeSeconds, idTokenSeconds, jwtSeconds, assertionSeconds] = [60, 3600, 300, 600];
const scopes = ['openid', 'profile', 'email', 'applications', 'offline_access'];

/** The private keys as the library takes them, that which signs now first. */
function jwksOf({ keys }: OpenIdContext): Required<Configuration>['jwks'] {
  const signer = keys.signer();
  const ordered = [signer, ...keys.all().filter(({ kid }) => kid !== signer.kid)];
  return {
    keys: ordered.flatMap(({ kid, privateKey, rsa }) => [
      { ...privateKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' },
      ...(rsa === null
        ? []
        : [{ ...rsa.privateKey.export({ format: 'jwk' }), kid: rsa.kid, alg: 'RS256', use: 'sig' }]),
    ]),
  };
}

export interface FaultyState {
  /** The failure for which the service ends the response instead of the library. */
  fault?: unknown;
}

/** Notes that a request failed because the database does not respond or this process lacks a key. Neither is an error of the library. */
export function noteFault(ctx: Pick<RequestContext, 'state'> | undefined, error: unknown): boolean {
  if (!isDatabaseAway(error) && !(error instanceof KeyFault)) return false;
  if (ctx !== undefined) (ctx.state as FaultyState).fault = error;
  return true;
}

/** An OpenID provider with the present keys, which signs in who has a session of the family. */
export function createProvider(library: Library, context: OpenIdContext): Provider {
  const { default: Constructor, errors } = library;
  const current = () => Constructor.ctx;
  const refuse = (ctx: KoaContextWithOIDC, seconds: number | null): void => {
    if (seconds === null) return;
    ctx.res.setHeader('Retry-After', String(seconds));
    const status = { status: 429, statusCode: 429 };
    throw Object.assign(new errors.TemporarilyUnavailable('too many requests'), status);
  };
  const limit: Limit = (ctx, ...given) => {
    refuse(ctx, callOf(ctx).limit(...given));
  };
  const provider: Provider = new Constructor(context.settings.issuer, {
    ...staticConfiguration(library, context),
    jwks: jwksOf(context),
    adapter: adapterOf(context, {
      session: async () => {
        const ctx = current();
        return ctx === undefined ? null : sessionOf(ctx);
      },
      client: async (id) => {
        try {
          const client = await context.clients.find(id);
          return client === null ? undefined : metadataOf(client);
        } catch (error) {
          // The library ignores this error when it looks for the client of a refused request.
          noteFault(current(), error);
          throw error;
        }
      },
      usedTwice: (model) =>
        model === 'PushedAuthorizationRequest'
          ? new errors.InvalidRequestUri('the request was already used')
          : new errors.InvalidGrant('already used'),
      connect: async (session, { authorizations = {} }) => {
        const ctx = current();
        const clientId = ctx?.oidc.client?.clientId ?? '';
        const { grantId } = authorizations[clientId] ?? {};
        if (ctx === undefined || grantId === undefined || grantId === ctx.state['grantId']) return;
        await connect(callOf(ctx), session, clientId, grantId);
      },
    }),
    features: featuresOf(library, context),
    interactions: {
      policy: policyOf(library, context, (ctx) => {
        refuse(ctx, callOf(ctx).begin());
      }),
      url: (_ctx, { uid, params }) => `${context.settings.issuer}${interactionPath}/${idIn(uid, params)}`,
    },
    loadExistingGrant: (ctx) => grantOf(provider, context, ctx),
    findAccount: async (_ctx, uid, token) =>
      token === undefined || (await isEntitled(context, uid, token)) ? findPerson(context, uid) : undefined,
    extraParams: {
      checked: async (ctx) => {
        restoreOfflineAccess(ctx);
        if (ctx.oidc.route === 'authorization') await joinSession(context, ctx);
        // Anyone can push requests of a public client.
        else if (isPublic(ctx)) refuse(ctx, callOf(ctx).begin());
      },
    },
    renderError: (ctx, out) => {
      showError(context, ctx, out);
    },
  });
  // Once for each: what waits for its user is removed, or used up, by the request that goes on.
  const events: EventEmitter = provider;
  const finish = (counts: (ctx: KoaContextWithOIDC) => boolean) => () => {
    const ctx = current();
    if (ctx !== undefined && counts(ctx)) callOf(ctx).finish();
  };
  events.on(
    'interaction.destroyed',
    finish(() => true),
  );
  events.on('pushed_authorization_request.consumed', finish(isPublic));
  // The mount sets the forwarded headers to the address of the issuer.
  provider.proxy = true;
  overrideMembers(provider, current, context, limit);
  return provider;
}

const isPublic = (ctx: KoaContextWithOIDC): boolean => clientOf(ctx).clientAuthMethod === 'none';

/** Whether a user may have tokens of a client: who loses its persona has none. The policy refuses the requests of such a user. */
async function isEntitled(
  context: OpenIdContext,
  uid: string,
  { clientId = '' }: { readonly clientId?: string | undefined },
): Promise<boolean> {
  const { persona } = (await context.clients.find(clientId)) ?? {};
  return persona === undefined || (await findPerson(context, uid))?.personas.includes(persona) === true;
}

/** Signs in to the library who has a session of the family. */
async function joinSession(context: OpenIdContext, ctx: KoaContextWithOIDC): Promise<void> {
  const family = await sessionOf(ctx);
  const { session } = ctx.oidc;
  if (session === undefined || family === null || session.accountId !== undefined) return;
  const { at, amr } = latestOf(family, await librarySessions(context, family));
  session.uid = family.id;
  session.loginAccount({
    accountId: family.uid,
    loginTs: Math.floor(at / 1000),
    ...(amr.length === 0 ? {} : { amr: [...amr] }),
    acr: acrOf(levelOf({ amr })),
  });
}

function staticConfiguration({ errors }: Library, { settings }: OpenIdContext): Configuration {
  const { accessTokenSeconds, sessionSeconds, openid, issuer } = settings;
  const name = `${openid?.cookiePrefix ?? ''}-openid`;
  const cookie = { httpOnly: true, sameSite: 'lax', secure: issuer.startsWith('https:') } as const;
  return {
    routes: endpoints,
    responseTypes: ['code'],
    scopes,
    claims: claimsOfScopes,
    acrValues: [acrOf(1), acrOf(2)],
    extraClientMetadata: { properties: extraMetadata },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    enabledJWA: {
      idTokenSigningAlgValues: ['ES256', 'RS256'],
      clientAuthSigningAlgValues: ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'],
      dPoPSigningAlgValues: ['ES256', 'Ed25519', 'EdDSA'],
    },
    formats: {
      bitsOfOpaqueRandomness: (_ctx, { kind }) => (kind === 'AccessToken' ? accessTokenLength * 6 : 256),
    },
    pkce: { required: () => true },
    // Many clients read the claims of an ID token only.
    conformIdTokenClaims: false,
    enableHttpPostMethods: true,
    allowOmittingSingleRegisteredRedirectUri: false,
    // A secret, or a key that the token is bound to, protects a refresh token better than rotation (RFC 9700 §4.14.2).
    rotateRefreshToken: (ctx) =>
      clientOf(ctx).clientAuthMethod === 'none' && ctx.oidc.refreshToken?.jkt === undefined,
    assertJwtClientAuthClaimsAndHeader: (_ctx, { aud, exp, iat }) => {
      // FAPI 2.0 Security Profile §5.3.2.1.
      if (aud !== issuer) throw new errors.InvalidClientAuth('the audience must be the issuer alone');
      const lifeFrom = typeof iat === 'number' ? iat : Math.floor(Date.now() / 1000);
      if (lifeFrom * 1000 > Date.now() + 60_000)
        throw new errors.InvalidClientAuth('the assertion is issued in the future');
      if (
        Number(exp) - lifeFrom > assertionSeconds ||
        Number(exp) * 1000 > Date.now() + assertionSeconds * 1000
      )
        throw new errors.InvalidClientAuth('the assertion must live at most 10 minutes');
    },
    // What is stored is compared with the session whenever it is read.
    expiresWithSession: () => false,
    clientBasedCORS: (_ctx, origin, client) =>
      // Addresses of private schemes, and sandboxed frames, have the origin 'null'.
      origin !== 'null' &&
      (client.redirectUris ?? []).some((address) => URL.parse(address)?.origin === origin),
    cookies: {
      names: { session: `${name}-session`, interaction: `${name}-interaction`, resume: name },
      short: cookie,
      // The library requires it for requests by POST. Alone the cookie is worth nothing: that of the family has to come with it.
      long: { ...cookie, sameSite: 'none' },
    },
    ttl: {
      AccessToken: (_ctx, { resourceServer }) => resourceServer?.accessTokenTTL ?? accessTokenSeconds,
      AuthorizationCode: codeSeconds,
      IdToken: idTokenSeconds,
      Interaction: interactionSeconds,
      RefreshToken: sessionSeconds,
      Grant: sessionSeconds,
      Session: sessionSeconds,
    },
  };
}

function featuresOf({ errors }: Library, context: OpenIdContext): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    rpInitiatedLogout: { enabled: true },
    introspection: {
      enabled: true,
      allowedPolicy: async (_ctx, { clientId, clientUri }, token) =>
        (token.clientId === clientId ||
          ('aud' in token && token.aud !== undefined && token.aud === clientUri)) &&
        'accountId' in token &&
        (await isEntitled(context, token.accountId, token)),
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, { clientId }, token) => token.clientId === clientId,
    },
    pushedAuthorizationRequests: { enabled: true },
    dPoP: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx, _client, oneOf) => oneOf?.[0] ?? [],
      useGrantedResource: () => true,
      // A token is for its client, which may name itself by its address (RFC 8707): one for another application would act in its name.
      getResourceServerInfo: async (_ctx, resource, { clientId }) => {
        if (resource !== (await context.clients.find(clientId))?.url) throw new errors.InvalidTarget();
        return {
          scope: scopes.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          accessTokenTTL: jwtSeconds,
          jwt: { sign: { alg: 'ES256' } },
        };
      },
    },
  };
}

/**
 * The grant of the session and the client, with everything that is asked for now, unless the user still has to agree. It ends with the
 * session, so it is never older than that. What is added makes another grant, which the session connects: a grant that was ended in the
 * meantime, as by 'Disconnect', would come back without its connection.
 */
async function grantOf(
  provider: Provider,
  context: OpenIdContext,
  ctx: KoaContextWithOIDC,
): Promise<Grant | undefined> {
  const { session, account, requestParamOIDCScopes, resourceServers = {} } = ctx.oidc;
  const { clientId, clientUri } = clientOf(ctx);
  const id = session?.grantIdFor(clientId);
  ctx.state['grantId'] = id;
  const present = id === undefined ? undefined : await provider.Grant.find(id);
  const facts = await factsOf(context, ctx);
  if (facts === null || account === undefined) return present;
  if (facts.prompts.includes('consent')) return present;
  await noteLevelAsked(context, ctx);
  const wanted = [...requestParamOIDCScopes].join(' ');
  const resources = Object.keys(resourceServers);
  const isCovered = (granted = ''): boolean =>
    wanted.split(' ').every((scope) => granted.split(' ').includes(scope));
  if (
    present !== undefined &&
    isCovered(present.getOIDCScope()) &&
    resources.every((resource) => isCovered(present.getResourceScope(resource)))
  )
    return present;
  const grant = new provider.Grant({ accountId: account.accountId, clientId });
  grant.addOIDCScope(`${present?.getOIDCScope() ?? ''} ${wanted}`.trim());
  for (const resource of new Set([...resources, clientUri ?? ''])) {
    const granted = [present?.getResourceScope(resource) ?? '', resources.includes(resource) ? wanted : ''];
    grant.addResourceScope(resource, granted.join(' ').trim());
  }
  await grant.save();
  return grant;
}

/** The library drops this scope without `prompt=consent`, because its tokens would outlive the session. Ours end with it. */
function restoreOfflineAccess(ctx: KoaContextWithOIDC): void {
  const { params = {}, body, entities } = ctx.oidc;
  const pushed = entities.PushedAuthorizationRequest;
  const given = ctx.method === 'POST' ? body?.['scope'] : ctx.query['scope'];
  const asked = pushed === undefined ? given : decodeJwt<{ scope?: string }>(pushed.request).scope;
  const asks = typeof asked === 'string' && asked.split(' ').includes('offline_access');
  const { scope } = params as { readonly scope?: string };
  const present = scope?.split(' ') ?? [];
  if (!asks || present.includes('offline_access') || !clientOf(ctx).grantTypeAllowed('refresh_token')) return;
  params['scope'] = [...present, 'offline_access'].join(' ');
}

/** Errors that no application may learn of, because it is not known which one it is. */
export function showError({ settings }: OpenIdContext, ctx: RequestContext, out: object): void {
  const isOfBrowser = [endpoints.authorization, endpoints.end_session].some(
    (path) => ctx.path === path || ctx.path.startsWith(`${path}/`),
  );
  if (!isOfBrowser) {
    ctx.body = out;
    return;
  }
  ctx.status = 303;
  ctx.redirect(`${settings.links.signOnUrl}/unauthorized`);
}
