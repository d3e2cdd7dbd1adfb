import { decodeJwt, decodeProtectedHeader } from 'jose';
import { spend } from '../platform/security/spentProofs.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import { acrOf, levelOf } from '../session/authentication.ts';
import { storeAccessTokens } from './accessTokens.ts';
import { adapterOf } from './artifacts.ts';
import { extraMetadata, metadataOf } from './clientMetadata.ts';
import { connect, expireEndedSession, sessionOfCookies, type FamilySession } from './familySession.ts';
import { interactionSeconds } from './interactions.ts';
import type { Library, OidcContext, OidcSession, Payload, Provider, StoredInteraction } from './library.ts';
import { limiter, limitSecrets, type CallOf } from './limits.ts';
import { needsOf } from './needs.ts';
import { claimsOfScopes, findPerson } from './person.ts';
import { factsReader, interactionPolicyOf } from './policy.ts';

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

/** How long a code lives, in seconds. */
const codeSeconds = 60;
/** How long an ID token is valid, in seconds. */
const idTokenSeconds = 3600;
const scopes = ['openid', 'profile', 'email', 'applications', 'offline_access'];
const asymmetric = ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'];

/** The private keys as the library takes them, that which signs now first. */
function jwksOf({ keys }: Pick<ServiceContext, 'keys'>): Payload {
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

/** An OpenID provider with the present keys, whose session is that of the family. */
export function createProvider(library: Library, context: ServiceContext, callOf: CallOf): Provider {
  const sessions = new WeakMap<OidcContext, FamilySession>();
  const sessionOf = (ctx: OidcContext): FamilySession | null => sessions.get(ctx) ?? null;
  const factsOf = factsReader(context, sessionOf);
  const limit = limiter(library, callOf);
  const { Provider: Constructor } = library;
  const provider = new Constructor(context.settings.issuer, {
    ...staticConfiguration(context),
    jwks: jwksOf(context),
    adapter: adapterOf(context, {
      sessionId: () => Constructor.ctx?.oidc.session?.uid,
      client: async (id) => {
        const client = await context.clients.find(id);
        return client === null ? undefined : metadataOf(client);
      },
      usedTwice: (model) =>
        model === 'PushedAuthorizationRequest'
          ? new library.errors.InvalidRequestUri('the request was already used')
          : new library.errors.InvalidGrant('already used'),
    }),
    features: featuresOf(library, context),
    interactions: {
      policy: interactionPolicyOf(library, context, factsOf, (ctx) => limit(ctx, 'requests')),
      url: (_ctx: OidcContext, interaction: StoredInteraction) => continueAddress(context, interaction),
    },
    loadExistingGrant: (ctx: OidcContext) => grantOf(provider, context, ctx, factsOf),
    findAccount: (ctx: OidcContext, uid: string) => findEntitled(context, ctx, uid),
    extraParams: {
      restored: async (ctx: OidcContext) => {
        restoreOfflineAccess(ctx);
        const { route, client } = ctx.oidc;
        // Anyone can push requests of a public client.
        if (route === 'pushed_authorization_request' && client.clientAuthMethod === 'none')
          await limit(ctx, 'requests');
      },
    },
    renderError: (ctx: OidcContext, out: object) => {
      showError(context, ctx, out);
    },
  });
  // The mount sets the forwarded headers to the address of the issuer.
  provider.proxy = true;
  useFamilySession(library, provider, context, callOf, sessions);
  storeAccessTokens(library, provider, context);
  limitSecrets(library, provider, context, callOf);
  provider.Client.prototype['includeSid'] = () => true;
  acceptIdTokensOnly(provider);
  provider.ReplayDetection.unique = (issuer, id, exp) =>
    spend(context.db, 'openid', `${issuer} ${id}`, new Date(Math.max(exp * 1000, context.settings.now())));
  return provider;
}

/** The user, unless the user has lost the persona that the client requires: its tokens are then refused. */
async function findEntitled(context: ServiceContext, { oidc }: OidcContext, uid: string) {
  const person = await findPerson(context, uid);
  // The policy of the authorization request returns `access_denied` instead.
  const isRequest = /^(?:authorization|resume)/.test(oidc.route);
  const persona = isRequest ? undefined : (oidc.client as { readonly persona?: string } | undefined)?.persona;
  return persona === undefined || person?.personas.includes(persona) === true ? person : undefined;
}

function staticConfiguration({ settings }: ServiceContext): Payload {
  const { accessTokenSeconds, sessionSeconds, openid } = settings;
  const name = `${openid?.cookiePrefix ?? ''}-openid`;
  const cookie = { httpOnly: true, sameSite: 'lax', secure: settings.issuer.startsWith('https:') };
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
      clientAuthSigningAlgValues: asymmetric,
      dPoPSigningAlgValues: ['ES256', 'Ed25519', 'EdDSA'],
    },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    pkce: { required: () => true },
    enableHttpPostMethods: true,
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    // What is stored is compared with the session whenever it is read.
    expiresWithSession: () => false,
    clientBasedCORS: (_ctx: unknown, origin: string, client: { readonly redirectUris: readonly string[] }) =>
      // Addresses of private schemes, and sandboxed frames, have the origin 'null'.
      origin !== 'null' && client.redirectUris.some((address) => URL.parse(address)?.origin === origin),
    cookies: {
      names: { session: `${name}-session`, interaction: `${name}-interaction`, resume: name },
      short: cookie,
      // It is never sent. Requests of other sites by POST have no session, and get one at the login page.
      long: { ...cookie, sameSite: 'none' },
    },
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: codeSeconds,
      IdToken: idTokenSeconds,
      Interaction: interactionSeconds,
      RefreshToken: sessionSeconds,
      Grant: sessionSeconds,
      Session: sessionSeconds,
    },
  };
}

function featuresOf({ errors }: Library, context: ServiceContext): Payload {
  const { issuer, accessTokenSeconds } = context.settings;
  const own = `${issuer}${endpoints.userinfo}`;
  /** A token is for its client, which may name itself by its address (RFC 8707): a token for another application would act in its name. */
  const resourceInfo = async (_ctx: unknown, resource: string, client: { readonly clientId: string }) => {
    const isOwn = resource === own || resource === (await context.clients.find(client.clientId))?.url;
    if (!isOwn) throw new errors.InvalidTarget();
    return {
      scope: scopes.join(' '),
      audience: resource === own ? client.clientId : resource,
      accessTokenFormat: 'jwt',
      accessTokenTTL: accessTokenSeconds,
      jwt: { sign: { alg: 'ES256' } },
    };
  };
  return {
    devInteractions: { enabled: false },
    backchannelLogout: { enabled: true },
    rpInitiatedLogout: { enabled: true },
    introspection: {
      enabled: true,
      allowedPolicy: (_ctx: unknown, client: { clientId: string; clientUri?: string }, token: TokenFacts) =>
        token.clientId === client.clientId || (token.aud !== undefined && token.aud === client.clientUri),
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx: unknown, client: { clientId: string }, token: TokenFacts) =>
        token.clientId === client.clientId,
    },
    pushedAuthorizationRequests: { enabled: true },
    dPoP: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_ctx: unknown, _client: unknown, oneOf?: readonly string[]) => oneOf?.[0] ?? own,
      useGrantedResource: () => true,
      getResourceServerInfo: resourceInfo,
    },
  };
}

interface TokenFacts {
  readonly clientId: string;
  readonly aud?: string;
}

/** Where the browser goes with a request that needs the user. */
function continueAddress(
  { settings }: Pick<ServiceContext, 'settings'>,
  { uid, session, returnTo, params }: StoredInteraction,
): string {
  const { signOnUrl } = settings.links;
  if (session !== undefined) return `${signOnUrl}/continue/${uid}`;
  const query = new URLSearchParams({ url: returnTo });
  for (const name of ['login_hint', 'ui_locales'])
    if (params[name] !== undefined) query.set(name, params[name]);
  return `${signOnUrl}/login?${query.toString()}`;
}

/**
 * The grant of the session and the client, with everything that is asked for now, unless the user still has to agree. It ends with the
 * session, so it is never older than that. What is added makes another grant, which the session connects: a grant that was ended in the
 * meantime, as by 'Disconnect', would come back without its connection.
 */
async function grantOf(
  provider: Provider,
  context: ServiceContext,
  ctx: OidcContext,
  factsOf: ReturnType<typeof factsReader>,
): Promise<object | undefined> {
  const { oidc } = ctx;
  const { client, session, account } = oidc;
  const id = session?.grantIdFor(client.clientId);
  const present = id === undefined ? undefined : await provider.Grant.find(id);
  const facts = await factsOf(ctx);
  if (facts === null || account === undefined) return present;
  const { demand, standing } = facts;
  if (needsOf(demand, standing, context.settings.now()).includes('consent')) return present;
  const { accountId } = account;
  const grant = new provider.Grant({ ...present, jti: undefined, accountId, clientId: client.clientId });
  const wanted = [...oidc.requestParamOIDCScopes].join(' ');
  const resources = Object.keys(oidc.resourceServers);
  const isCovered = (granted: string): boolean =>
    wanted.split(' ').every((scope) => granted.split(' ').includes(scope));
  const covered =
    isCovered(grant.getOIDCScope()) &&
    resources.every((resource) => isCovered(grant.getResourceScope(resource)));
  if (present !== undefined && covered) return present;
  grant.addOIDCScope(wanted);
  for (const resource of resources) grant.addResourceScope(resource, wanted);
  await grant.save();
  return grant;
}

/** The library drops this scope without `prompt=consent`, because its tokens would outlive the session. Ours end with it. */
function restoreOfflineAccess({ method, query, oidc }: OidcContext): void {
  const { params, client, body, entities } = oidc;
  const pushed = entities.PushedAuthorizationRequest;
  const given = method === 'POST' ? body?.['scope'] : query['scope'];
  const asked = pushed === undefined ? given : decodeJwt<{ scope?: string }>(pushed.request).scope;
  const asks = typeof asked === 'string' && asked.split(' ').includes('offline_access');
  const present = params['scope']?.split(' ') ?? [];
  if (!asks || present.includes('offline_access') || !client.grantTypeAllowed('refresh_token')) return;
  params['scope'] = [...present, 'offline_access'].join(' ');
}

/** Errors that no application may learn of, because it is not known which one it is. */
export function showError({ settings }: ServiceContext, ctx: OidcContext, out: object): void {
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

/** Access tokens and logout tokens have the same key, issuer and audience as ID tokens; the library compares only those. */
function acceptIdTokensOnly({ IdToken }: Provider): void {
  const validate = IdToken.validate.bind(IdToken);
  IdToken.validate = (token, client) => {
    const { typ } = decodeProtectedHeader(token);
    if (typ !== undefined && typ !== 'JWT') throw new TypeError('The token is no ID token.');
    return validate(token, client);
  };
}

/** Replaces the session of the library, with its cookie, by that of the family. */
function useFamilySession(
  library: Library,
  provider: Provider,
  context: ServiceContext,
  callOf: CallOf,
  sessions: WeakMap<OidcContext, FamilySession>,
): void {
  const { Session } = provider;
  Session.get = async (ctx) => {
    const family = await sessionOfCookies(context, ctx.req.headers.cookie);
    if (family === null) await expireEndedSession(context, ctx);
    else sessions.set(ctx, family);
    const session = family === null ? Session.instantiate() : Session.instantiate(payloadOf(family));
    ctx.oidc.entity('Session', session);
    return session;
  };
  Session.prototype['resetIdentifier'] = () => undefined;
  Session.prototype['sidFor'] = function sidFor(this: OidcSession): string {
    return this.uid;
  };
  Session.prototype['save'] = async function save(this: OidcSession): Promise<void> {
    this.touched = false;
    const { ctx } = library.Provider;
    const family = ctx === undefined ? undefined : sessions.get(ctx);
    if (ctx === undefined || family === undefined) return;
    for (const [clientId, { grantId }] of Object.entries(this.authorizations ?? {}))
      if (grantId !== undefined && grantId !== family.connections[clientId]?.grantId)
        await connectClient(callOf(ctx), family, clientId, grantId);
  };
}

async function connectClient(
  context: Pick<ServiceContext, 'db' | 'settings' | 'audit'>,
  family: FamilySession,
  clientId: string,
  grantId: string,
): Promise<void> {
  const { uid, connections } = family;
  await connect(context, family, clientId, grantId);
  if (connections[clientId] !== undefined) return;
  await context.audit.record(context.db, {
    event: 'openid-sign-in',
    outcome: 'success',
    uid,
    method: clientId,
  });
}

/** The library compares times with the clock of the machine. */
function payloadOf(family: FamilySession): Payload {
  const { id, uid, authenticatedAt, amr, connections } = family;
  return {
    kind: 'Session',
    uid: id,
    jti: id,
    exp: Math.floor(Date.now() / 1000) + 3600,
    accountId: uid,
    loginTs: Math.floor(authenticatedAt / 1000),
    acr: acrOf(levelOf(family)),
    ...(amr.length === 0 ? {} : { amr }),
    authorizations: Object.fromEntries(
      Object.entries(connections).map(([clientId, { grantId }]) => [clientId, { grantId }]),
    ),
  };
}
