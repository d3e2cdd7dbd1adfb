import { isLoopback } from '../platform/addresses.ts';
import type { Client } from '../core/clients/clients.ts';
import type { Payload } from './tables.ts';

/** The metadata of a client that oidc-provider does not know, and their names. */
export const extraMetadata = ['consent', 'persona', 'acr'] as const;

const methods = { none: 'none', secret: 'client_secret_basic', keys: 'private_key_jwt' } as const;

/** A client as oidc-provider reads it (RFC 7591). Its secret is compared elsewhere. */
export function metadataOf(client: Client): Payload {
  const { authentication, scopes, redirectUris, initiateLoginUri } = client;
  const hasRefresh = scopes.includes('offline_access');
  return present({
    client_id: client.id,
    client_name: client.name,
    client_uri: client.url,
    logo_uri: client.logo,
    // The library takes no http, which an application on this machine may have.
    initiate_login_uri: initiateLoginUri?.startsWith('https:') === true ? initiateLoginUri : undefined,
    redirect_uris: redirectUris,
    post_logout_redirect_uris: client.postLogoutRedirectUris,
    backchannel_logout_uri: client.backchannelLogoutUri,
    // The token endpoint adds `sid`, which is that of the family.
    backchannel_logout_session_required: false,
    application_type: isNative(client) ? 'native' : 'web',
    grant_types: ['authorization_code', ...(hasRefresh ? ['refresh_token'] : [])],
    response_types: redirectUris.length === 0 ? [] : ['code'],
    response_modes: ['query', 'form_post'],
    scope: ['openid', ...scopes].join(' '),
    token_endpoint_auth_method: methods[authentication],
    // Required by the library, which derives no key from it: symmetric algorithms are off.
    client_secret: authentication === 'secret' ? 'stored as a hash' : undefined,
    id_token_signed_response_alg: client.idTokenAlgorithm,
    require_auth_time: true,
    require_pushed_authorization_requests: client.par,
    dpop_bound_access_tokens: client.dpop,
    jwks: client.jwks,
    jwks_uri: client.jwksUri,
    consent: client.consent,
    persona: client.persona,
    acr: client.acr,
  });
}

/** On a device the system chooses the port of a loopback address (RFC 8252 §7.3). */
function isNative({ redirectUris }: Client): boolean {
  const urls = redirectUris.map((address) => new URL(address));
  const isOwn = ({ protocol, hostname }: URL): boolean =>
    protocol === 'http:' ? hostname === '127.0.0.1' || hostname === '[::1]' : !/^https?:$/.test(protocol);
  return urls.some(isOwn) && urls.every((url) => isOwn(url) || !isLoopback(url.hostname));
}

function present(fields: Payload): Payload {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
