import type { ProvidersOptions } from '../settings/providersOptions.ts';
import { ProviderMisconfigured } from './failures.ts';
import type { ProviderLogin } from './login.ts';

/** Who we are at a provider, and which one it is. */
export interface Connection {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** More parameters of the token call. */
  readonly parameters: Readonly<Record<string, string>>;
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * How an account's provider is reached.
 *
 * @throws ProviderMisconfigured when service and account do not fit together.
 */
export function connectionTo(providers: ProvidersOptions | undefined, login: ProviderLogin): Connection {
  const redirect = { redirect_uri: providers?.redirectUri ?? '' };
  if (login.method === 'google') {
    if (providers?.google === undefined) throw new ProviderMisconfigured('the provider is not configured');
    const { issuer, ...client } = providers.google;
    return { ...client, issuer: new URL(issuer), parameters: redirect };
  }
  if (providers?.microsoft === undefined) throw new ProviderMisconfigured('the provider is not configured');
  const { issuerTemplate, ...client } = providers.microsoft;
  // An e-mail address counts only from the account's own tenant: the administrator of another tenant can
  // give a user any address. So a shared tenant (`common`), or a name that Microsoft resolves to one we do not know, is not accepted.
  if (!guid.test(login.tenantId)) throw new ProviderMisconfigured('the account has no tenant id');
  if (login.clientId !== client.clientId) {
    throw new ProviderMisconfigured('the account names another client');
  }
  return {
    ...client,
    issuer: new URL(issuerTemplate.replace('{tenantId}', login.tenantId.toLowerCase())),
    // The application asks for 'offline_access user.read' (docs/behaviour.md#authorization-request), which names no OpenID scope; so the token
    // call does. Not yet tried against Microsoft itself (README).
    parameters: { ...redirect, scope: 'openid profile email' },
  };
}
