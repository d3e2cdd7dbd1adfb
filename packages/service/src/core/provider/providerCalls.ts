import {
  allowInsecureRequests,
  ClientSecretPost,
  clockSkew,
  customFetch,
  discoveryRequest,
  genericTokenEndpointRequest,
  getValidatedIdTokenClaims,
  jwksCache,
  OperationProcessingError,
  processDiscoveryResponse,
  processGenericTokenEndpointResponse,
  validateApplicationLevelSignature,
  type AuthorizationServer,
  type Client,
  type CustomFetchOptions,
  type IDToken,
  type JWKSCacheInput,
} from 'oauth4webapi';
import { isProtected } from '../../platform/addresses.ts';
import { traced } from '../../platform/metrics/traces.ts';
import type { ServiceSettings } from '../settings/options.ts';
import { connectionTo, type Connection } from './connection.ts';
import { failureOf, ProviderMisconfigured } from './failures.ts';
import type { ProviderLogin, ProviderProof } from './login.ts';

/** The requests of the service to the providers. */
export interface ProviderCalls {
  /**
   * Exchanges a code, as a confidential client, and checks the ID token: signature, issuer, audience, expiry.
   *
   * @throws ServiceError 401 `no_access` if the provider refuses the code or the token is invalid; with the code
   * `unavailable`: 502 if the provider cannot be reached or its response is invalid, 504 if it does not respond in
   * time, 503 if it is not configured.
   */
  readonly idTokenFor: (login: ProviderLogin, proof: ProviderProof) => Promise<IDToken>;
}

/** Cached metadata and keys of a provider, so that a sign-in needs one request instead of three. */
interface Known {
  readonly server: AuthorizationServer;
  readonly keys: JWKSCacheInput;
  /** Milliseconds since 1970. */
  readonly goodUntil: number;
}

const discoveryLifeMilliseconds = 600_000;
const defaultTimeoutSeconds = 7;

export function createProviderCalls({
  providers,
  now,
  logger,
}: Pick<ServiceSettings, 'providers' | 'now' | 'logger'>): ProviderCalls {
  const known = new Map<string, Known>();

  const discover = async (issuer: URL, options: RequestOptions): Promise<Known> => {
    const present = known.get(issuer.href);
    if (present !== undefined && present.goodUntil > now()) return present;
    const response = await discoveryRequest(issuer, options);
    const server = await processDiscoveryResponse(issuer, response);
    const found = { server, keys: {}, goodUntil: now() + discoveryLifeMilliseconds };
    known.set(issuer.href, found);
    return found;
  };

  const exchange = async (
    connection: Connection,
    proof: ProviderProof,
    options: RequestOptions,
  ): Promise<IDToken> => {
    const { server, keys } = await discover(connection.issuer, options);
    const client: Client = {
      client_id: connection.clientId,
      [clockSkew]: Math.round((now() - Date.now()) / 1000),
    };
    // The generic request, because the page that sent the code has checked the browser's part of the flow (state,
    // `iss`).
    const response = await genericTokenEndpointRequest(
      server,
      client,
      ClientSecretPost(connection.clientSecret),
      'authorization_code',
      {
        ...connection.parameters,
        code: proof.code,
        ...(proof.codeVerifier === undefined ? {} : { code_verifier: proof.codeVerifier }),
      },
      options,
    );
    const tokenResponse = await processGenericTokenEndpointResponse(server, client, response);
    const claims = getValidatedIdTokenClaims(tokenResponse);
    if (claims === undefined) throw new ProviderMisconfigured('the provider returned no ID token');
    await validateApplicationLevelSignature(server, response, { ...options, [jwksCache]: keys });
    return claims;
  };

  return {
    idTokenFor: async (login, proof) => {
      const signal = AbortSignal.timeout((providers?.timeoutSeconds ?? defaultTimeoutSeconds) * 1000);
      try {
        const connection = connectionTo(providers, login);
        return await traced('provider', { 'server.address': connection.issuer.hostname }, () =>
          exchange(connection, proof, {
            signal,
            // Checked by `fetchBy`, by the same rule as every address.
            [allowInsecureRequests]: true,
            [customFetch]: fetchBy(providers?.fetch ?? fetch),
          }),
        );
      } catch (error) {
        throw failureOf(error, { login, logger, timedOut: signal.aborted });
      }
    },
  };
}

interface RequestOptions {
  readonly signal: AbortSignal;
  readonly [allowInsecureRequests]: boolean;
  readonly [customFetch]: LibraryFetch;
}

type LibraryFetch = (
  url: string,
  options: CustomFetchOptions<string, URLSearchParams | undefined>,
) => Promise<Response>;

/** Refuses an endpoint without TLS. */
function fetchBy(send: typeof fetch): LibraryFetch {
  return async (url, { body, ...init }) => {
    if (!isProtected(url)) {
      throw new OperationProcessingError('an endpoint of the provider has no TLS');
    }
    // The library sets `body: undefined`, which the type of `fetch` does not allow.
    return send(url, body === undefined ? init : { ...init, body });
  };
}
