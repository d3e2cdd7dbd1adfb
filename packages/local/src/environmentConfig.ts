import type { AppConfig, Theme } from '@vestibule/contract/appConfig';
import { familyDomain, hostOf, originOf } from './hosts.ts';
import { googleClientId, googleRoutes, microsoftRoutes } from './registration.ts';

/** Prefix of every cookie name in the local environment (`cookies.prefix`). */
export const cookiePrefix = 'payments-local';

/** The configuration block, as the local environment fills it. */
export type EnvironmentConfig = AppConfig;

/** Application names that the query of `/login` may pass in the local environment, besides `e-pay`. */
export const embeddedApplications = { ledger: 'ledger', treasury: 'treasury' } as const;

/** A theme that differs from both looks in everything; its files: `themes.ts`. */
const northwind: Theme = {
  primary: { light: '#8a2b0e', dark: '#ffb59a' },
  onPrimary: { light: '#fff4ec', dark: '#3a1206' },
  background: { light: '#fbf3e4', dark: '#17110b' },
  surface: { light: '#fffcf5', dark: '#241b13' },
  text: { light: '#33210f', dark: '#f6ead9' },
  radius: 20,
};

/** The bundled service's default (packages/service/src/core/settings/options.ts). */
const bundledGraceSeconds = 10;

/** `None` where a parent of another site embeds the page. */
export type SameSite = 'Lax' | 'None';

/**
 * The configuration that the environment writes into `dist/index.html`.
 *
 * @param port Port on which every host of the environment answers.
 * @param options `serviceUrl`, the bundled service unless given; `applications`, origins of further applications of the family,
 * which may embed the page and to which it may redirect; `devTools` lets Redux DevTools connect; `false` unless given; `sameSite` of every cookie, 'Lax' unless given;
 * `extensions` of the service, none unless given; `refreshGraceSeconds` of the service, its default unless given; `reportsTo`, the address of a collector, none unless given;
 * `languages` of the page, only English unless given.
 */
export function environmentConfig(
  port: number,
  options: {
    readonly serviceUrl?: string;
    readonly applications?: readonly string[];
    readonly devTools?: boolean;
    readonly sameSite?: SameSite;
    readonly extensions?: readonly string[];
    readonly refreshGraceSeconds?: number;
    readonly reportsTo?: string;
    readonly languages?: readonly string[];
  } = {},
): EnvironmentConfig {
  const applications = (options.applications ?? []).map((address) => new URL(address));
  return {
    environment: 'local',
    signOnUrl: originOf('app', port),
    serviceUrl: options.serviceUrl ?? originOf('api', port),
    cookies: { prefix: cookiePrefix, domain: familyDomain, sameSite: options.sameSite ?? 'Lax' },
    refreshGraceSeconds: options.refreshGraceSeconds ?? bundledGraceSeconds,
    redirectHosts: [`*.${hostOf('start', port)}`, ...applications.map(({ host }) => host)],
    parentOrigins: [
      originOf('ledger', port),
      originOf('hub', port),
      originOf('partner', port),
      ...applications.map(({ origin }) => origin),
    ],
    shortLinkHosts: [hostOf('shortLinks', port)],
    supplierHosts: [hostOf('suppliers', port)],
    links: {
      supplierSite: `${originOf('hub', port)}/`,
      marketingSite: `${originOf('start', port)}/`,
      supportEmail: 'support@payments.example',
      providerSupport: 'provider-support@payments.example',
    },
    google: {
      clientId: googleClientId,
      authorizationUrl: `${originOf('google', port)}${googleRoutes.authorization}`,
    },
    microsoft: {
      authorizationUrl: `${originOf('microsoft', port)}${microsoftRoutes('{tenantId}').authorization}`,
    },
    brands: {
      default: { label: 'Payments', look: 'default' },
      'supplier-hub': { label: 'Supplier Hub', look: 'default' },
      [embeddedApplications.ledger]: { label: 'Ledger', look: 'default' },
      [embeddedApplications.treasury]: { label: 'Treasury', look: 'default' },
      'e-pay': { label: 'e-Pay', look: 'epay' },
      northwind: { label: 'Northwind', look: 'epay', theme: northwind },
    },
    oneTimeLinks: 'auto',
    extensions: options.extensions ?? [],
    passkeys: { rpId: new URL(originOf('app', port)).hostname },
    devTools: options.devTools ?? false,
    ...(options.reportsTo === undefined ? {} : { reportsTo: options.reportsTo }),
    ...(options.languages === undefined ? {} : { languages: options.languages }),
  };
}
