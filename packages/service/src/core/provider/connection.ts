import type { ProvidersOptions } from '../settings/providersOptions.ts';
import { ProviderMisconfigured } from './failures.ts';
import type { ProviderLogin } from './login.ts';

/** A provider, and the registration of the service at it. */
export interface Connection {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Additional parameters of the token request. */
  readonly parameters: Readonly<Record<string, string>>;
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The connection to an account's provider.
 *
 * @throws ProviderMisconfigured if the settings of service and account do not match.
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
  // An e-mail address is trusted only in the account's own tenant, because the administrator of another tenant can
  // assign any address. A shared tenant (`common`), or a domain name as the tenant, is therefore rejected.
  if (!guid.test(login.tenantId)) throw new ProviderMisconfigured('the account has no tenant id');
  if (login.clientId !== client.clientId) {
    throw new ProviderMisconfigured('the account names another client');
  }
  return {
    ...client,
    issuer: new URL(issuerTemplate.replace('{tenantId}', login.tenantId.toLowerCase())),
    // The application requests 'offline_access user.read' (docs/behaviour.md#authorization-request), which contains
    // no OpenID scope, so the token request does. Tested against the local provider only, not against Microsoft.
    parameters: { ...redirect, scope: 'openid profile email' },
  };
}
