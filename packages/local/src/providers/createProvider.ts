import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { exportJWK, generateKeyPair } from 'jose';
import {
  interactionPolicy,
  Provider,
  type ClientMetadata,
  type Configuration,
  type ErrorOut,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Logger } from '@vestibule/service';
import type { ProviderBehaviour } from './behaviour.ts';
import { memoryStorage } from './memory.ts';
import { accountOf, claimsOf, findByEmail, type Person } from './people.ts';
import type { ProviderName, ProviderRoutes, Registration } from '../registration.ts';

/** What one provider is made from. */
interface ProviderFacts {
  readonly name: ProviderName;
  readonly registration: Registration;
  /** The application's return point, the only one that is registered. */
  readonly redirectUri: string;
  readonly people: readonly Person[];
  readonly behaviour: () => ProviderBehaviour;
  /** The service's time, milliseconds since 1970. */
  readonly now: () => number;
  /** The page for a request that cannot be sent back to the application. @returns HTML. */
  readonly errorPage: (error: string, description: string) => string;
  readonly logger?: Logger;
}

/** An OpenID provider of the local environment: code flow for one confidential client, on keys of this run. */
export async function createProvider(facts: ProviderFacts): Promise<Provider> {
  const { name, registration, people, logger } = facts;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const provider = new Provider(registration.issuer, {
    adapter: memoryStorage(),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }] },
    clients: [clientOf(facts)],
    routes: routesOf(registration.routes),
    cookies: {
      keys: [randomBytes(32).toString('base64url')],
      names: { session: `${name}-session`, interaction: `${name}-interaction`, resume: `${name}-resume` },
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      dPoP: { enabled: false },
    },
    interactions: {
      policy: policyFor(people),
      url: (_context, { uid }) => `/interaction/${uid}`,
    },
    pkce: { required: () => name === 'microsoft' },
    ...claimsOf(name),
    // The ID token itself contains the e-mail, as with both real providers.
    conformIdTokenClaims: false,
    findAccount: (_context, id) => accountOf(name, registration, people, id),
    renderError: (context, out: ErrorOut) => {
      context.type = 'html';
      context.body = facts.errorPage(out.error, out.error_description ?? '');
    },
    clientBasedCORS: () => false,
    // oidc-provider has no other clock than the computer's.
    ttl: { ...lives, IdToken: () => lives.IdToken + Math.round((facts.now() - Date.now()) / 1000) },
  });
  const report = (error: Error): void => {
    logger?.error('local/providerFailed', { provider: name, message: error.message });
  };
  // The types of the library leave out what a provider emits as an application of Koa.
  const application: EventEmitter = provider;
  application.on('error', report);
  provider.on('server_error', (_context, error) => {
    report(error);
  });
  provider.use(alterReturn(facts));
  return provider;
}

/** Lives of what a provider issues, in seconds. */
const lives = {
  AccessToken: 3600,
  AuthorizationCode: 300,
  IdToken: 3600,
  Interaction: 3600,
  RefreshToken: 86_400,
  Grant: 86_400,
  Session: 86_400,
};

function clientOf({ registration, redirectUri }: ProviderFacts): ClientMetadata {
  return {
    client_id: registration.clientId,
    client_secret: registration.clientSecret,
    client_name: 'Vestibule',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
    id_token_signed_response_alg: 'ES256',
    // OpenID Connect Core §2: without it a forced re-authentication cannot be checked by its time.
    require_auth_time: true,
  };
}

function routesOf({ authorization, token, jwks, userinfo }: ProviderRoutes): Configuration['routes'] {
  return { authorization, token, jwks, userinfo };
}

/** Lets the troubles happen that lie in the return to the application. */
function alterReturn({
  behaviour,
  redirectUri,
}: ProviderFacts): (context: KoaContextWithOIDC, next: () => Promise<void>) => Promise<void> {
  return async (context, next) => {
    await next();
    const location = context.res.getHeader('location');
    if (typeof location !== 'string' || !location.startsWith(`${redirectUri}?`)) return;
    const { trouble } = behaviour();
    if (trouble !== 'refuse' && trouble !== 'wrong-state') return;
    const url = new URL(location);
    if (trouble === 'wrong-state') url.searchParams.set('state', randomBytes(32).toString('base64url'));
    else {
      url.searchParams.delete('code');
      url.searchParams.set('error', 'access_denied');
      url.searchParams.set('error_description', 'The administrator does not allow this application.');
    }
    context.set('Location', url.href);
  };
}

/**
 * The usual policy, and one check more: who is signed in here as another user than the application expects
 * (`login_hint`) is asked to sign in, as the originals do. Two tabs can so sign in two people.
 */
function policyFor(people: readonly Person[]): interactionPolicy.DefaultPolicy {
  const { base, Check } = interactionPolicy;
  const policy = base();
  policy.get('login')?.checks.add(
    new Check('login_hint', 'somebody else is expected', ({ oidc }) => {
      const hint = oidc.params?.['login_hint'];
      const expected = typeof hint === 'string' ? findByEmail(people, hint) : undefined;
      return (
        expected !== undefined &&
        oidc.session?.accountId !== undefined &&
        oidc.session.accountId !== expected.id &&
        oidc.result?.login === undefined
      );
    }),
  );
  return policy;
}
