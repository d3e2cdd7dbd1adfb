import { originOf } from './hosts.ts';

/** The two providers of the local environment. */
export type ProviderName = 'google' | 'microsoft';

/** Both, in the order in which pages list them. */
export const providerNames = ['google', 'microsoft'] as const satisfies readonly ProviderName[];

/** Client id of the sign-on application at the Google-type provider. */
export const googleClientId = 'vestibule-local.apps.google.payments.localhost';

/** Client id of the sign-on application at the Microsoft-type provider. */
export const microsoftClientId = 'b27a9e54-13c8-4d0f-a6e2-90d4c8f7351b';

/** The one tenant of the Microsoft-type provider; it is in the path of each of its addresses. */
export const microsoftTenantId = '4f6d1c9e-8a37-4b52-9c1d-2e7f5a60b813';

/** Paths of a provider's endpoints. */
export interface ProviderRoutes {
  readonly authorization: string;
  readonly token: string;
  readonly jwks: string;
  readonly userinfo: string;
  /** Path of the OpenID configuration; everything before `/.well-known/` belongs to the issuer. */
  readonly discovery: string;
}

/** The Google-type provider's paths, those of the original where it shows them. */
export const googleRoutes: ProviderRoutes = {
  authorization: '/o/oauth2/v2/auth',
  token: '/token',
  jwks: '/oauth2/v3/certs',
  userinfo: '/v1/userinfo',
  discovery: '/.well-known/openid-configuration',
};

/** The Microsoft-type provider's paths for a tenant. */
export function microsoftRoutes(tenantId: string): ProviderRoutes {
  return {
    authorization: `/${tenantId}/oauth2/v2.0/authorize`,
    token: `/${tenantId}/oauth2/v2.0/token`,
    jwks: `/${tenantId}/discovery/v2.0/keys`,
    userinfo: `/${tenantId}/openid/userinfo`,
    discovery: `/${tenantId}/v2.0/.well-known/openid-configuration`,
  };
}

/** How the sign-on application and its service are known at one provider. */
export interface Registration {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly routes: ProviderRoutes;
}

/** No secret: the providers are made up, and a team configures its own service with it. */
const clientSecret = 'local-environment';

/** How the sign-on service is registered at both providers. */
export function register(port: number): Readonly<Record<ProviderName, Registration>> {
  return {
    google: {
      issuer: originOf('google', port),
      clientId: googleClientId,
      clientSecret,
      routes: googleRoutes,
    },
    microsoft: {
      issuer: microsoftIssuer(port, microsoftTenantId),
      clientId: microsoftClientId,
      clientSecret,
      routes: microsoftRoutes(microsoftTenantId),
    },
  };
}

/** Issuer of a tenant; with `{tenantId}` in its place, the template that the service is given. */
export function microsoftIssuer(port: number, tenantId: string): string {
  return `${originOf('microsoft', port)}/${tenantId}/v2.0`;
}
