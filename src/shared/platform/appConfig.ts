/** How an application or variant presents itself in the header (decisions §1 `brands`). */
export interface Brand {
  readonly label: string;
  readonly look: 'default' | 'epay';
}

/** An identity provider (decisions §7). */
interface ProviderConfig {
  readonly authorizationUrl: string;
  /** The `iss` of its answers, to the letter (RFC 9207). Absent: whatever has the origin of `authorizationUrl`. */
  readonly issuer?: string | undefined;
}

/** The runtime configuration block of the page (decisions §1). One build serves every environment. */
export interface AppConfig {
  readonly environment: string;
  /** The single-sign-on base address, where this app is served; no trailing slash. */
  readonly signOnUrl: string;
  /** Base of the sign-on service; the paths of specification §7 are appended; no trailing slash. */
  readonly serviceUrl: string;
  readonly cookies: {
    readonly prefix: string;
    /** Parent domain shared by the family; absent = host-only cookies. */
    readonly domain?: string | undefined;
    readonly sameSite: 'Lax' | 'Strict' | 'None';
  };
  /**
   * For how long, s, the service answers a rotated refresh token with its successor once more. Absent: not at all, and a
   * refresh is never sent again while its answer is outstanding.
   */
  readonly refreshGraceSeconds?: number | undefined;
  readonly redirectHosts: readonly string[];
  readonly parentOrigins: readonly string[];
  readonly shortLinkHosts: readonly string[];
  readonly supplierHosts: readonly string[];
  readonly links: {
    readonly supplierSite: string;
    readonly marketingSite: string;
    readonly supportEmail: string;
    readonly providerSupport: string;
  };
  readonly google: ProviderConfig & { readonly clientId: string };
  readonly microsoft: ProviderConfig;
  /** Variant → brand; `default` and `supplier-hub` always, others by application name. */
  readonly brands: Readonly<Record<string, Brand>> & {
    readonly default: Brand;
    readonly 'supplier-hub': Brand;
  };
  readonly oneTimeLinks: 'auto' | 'click';
  /** What the service offers beyond the contract (decisions §16). Names that no part of this build asks for have no effect. */
  readonly extensions: readonly string[];
  readonly devTools: boolean;
}
