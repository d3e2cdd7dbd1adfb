import { errors, jwtVerify } from 'jose';
import { signingAlgorithm } from '../platform/security/signingKeys.ts';
import type { ServiceContext } from '../platform/serviceContext.ts';
import type { Library, Payload, Provider } from './library.ts';

/**
 * Stores access tokens that are JWTs (RFC 9068), so that userinfo, introspection and revocation accept them, and refuse them as soon
 * as their session has ended. The library does so with opaque ones only. The stored id is the `jti`, which alone is no token.
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
    return { value, payload: Object.fromEntries(fields.filter(([, field]) => field !== undefined)) };
  };
  const find = model.find.bind(model);
  model.find = async (value, options) => {
    const id = await idOf(value.replaceAll(separator, '.'), provider.issuer, keys);
    const token = id === null ? undefined : await find(id, options);
    // The library keeps tokens with an audience from userinfo; the client itself is the one that may read it.
    if (token?.aud === token?.clientId && library.Provider.ctx?.oidc.route === 'userinfo')
      delete (token as { aud?: string } | undefined)?.aud;
    return token;
  };
}

/** The id of an access token that this service has signed; `null` for anything else, such as the token of a session. */
async function idOf(token: string, issuer: string, keys: ServiceContext['keys']): Promise<string | null> {
  try {
    // Its life is that of what is stored.
    const { payload } = await jwtVerify(token, keys.find, {
      algorithms: [signingAlgorithm],
      issuer,
      typ: 'at+jwt',
      requiredClaims: ['client_id', 'jti'],
      currentDate: new Date(0),
    });
    return payload.jti ?? null;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
    throw error;
  }
}

/** What replaces the dots of a JWT: introspection and revocation refuse anything that the library can read as one. */
const separator = '~';

/** The body of a request for introspection or revocation, in which a JWT is hidden from the library. */
export function hideToken(given: URLSearchParams): string {
  const parameters = new URLSearchParams(given);
  const tokens = parameters.getAll('token');
  parameters.delete('token');
  for (const token of tokens) parameters.append('token', token.replaceAll('.', separator));
  return parameters.toString();
}
