import { decodeProtectedHeader } from 'jose';
import type { ServiceContext } from '../platform/serviceContext.ts';
import type { Library, Payload, Provider } from './library.ts';

/**
 * Stores access tokens that are JWTs (RFC 9068), so that userinfo, introspection and revocation accept them, and refuse them as soon
 * as their session has ended. The library does so with opaque ones only. A token is stored under the hash of the whole token, so that no
 * signature has to be verified.
 */
export function storeAccessTokens(
  library: Library,
  provider: Provider,
  { keys }: Pick<ServiceContext, 'keys'>,
): void {
  const model = provider.AccessToken;
  const sign = model.prototype['getValueAndPayload'] as (this: object) => Promise<{ readonly value: string }>;
  model.prototype['getValueAndPayload'] = async function signAndStore(
    this: InstanceType<typeof model>,
  ): Promise<{ readonly value: string; readonly payload: Payload }> {
    this.iat ??= Math.floor(Date.now() / 1000);
    this.exp ??= this.iat + this.expiration;
    const { value } = await sign.call(this);
    const fields = model.IN_PAYLOAD.map((key) => [key, (this as unknown as Payload)[key]] as const);
    this.jti = hide(value);
    return { value, payload: Object.fromEntries(fields.filter(([, field]) => field !== undefined)) };
  };
  const find = model.find.bind(model);
  model.find = async (value, options) => {
    const kid = kidOf(value);
    const isTrusted = kid !== undefined && keys.all().some((key) => key.kid === kid);
    const token = isTrusted ? await find(hide(value), options) : undefined;
    // The library keeps tokens with an audience from userinfo; the client itself is the one that may read it.
    if (token?.aud === token?.clientId && library.Provider.ctx?.oidc.route === 'userinfo')
      delete (token as { aud?: string } | undefined)?.aud;
    return token;
  };
}

/** The `kid` of a JWT, hidden or not; `undefined` for anything else. */
function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token.replaceAll(separator, '.')).kid;
  } catch {
    return undefined;
  }
}

/** What replaces the dots of a JWT: introspection and revocation refuse anything that the library can read as one. */
const separator = '~';
const hide = (token: string): string => token.replaceAll('.', separator);

/**
 * The parameters of introspection or revocation, in which a JWT is hidden from the library. The hint saves looking for an access token
 * among the refresh tokens, and the other way round.
 */
export function hideToken(given: URLSearchParams): string {
  const parameters = new URLSearchParams(given);
  const tokens = parameters.getAll('token');
  parameters.delete('token');
  for (const token of tokens) parameters.append('token', hide(token));
  const isAccessToken = kidOf(tokens[0] ?? '') !== undefined;
  parameters.set('token_type_hint', isAccessToken ? 'access_token' : 'refresh_token');
  return parameters.toString();
}
