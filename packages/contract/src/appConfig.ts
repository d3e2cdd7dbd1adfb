/** The label and look of an application or variant (docs/behaviour.md#appearance). */
export interface Brand {
  readonly label: string;
  readonly look: 'default' | 'epay';
  readonly theme?: Theme | undefined;
}

/** `#rrggbb` for both colour schemes, or one for each. */
export type ThemeColour = string | { readonly light: string; readonly dark: string };

/** Colours and files of a company in place of those of the look (docs/behaviour.md#themes). */
export interface Theme {
  /** Primary buttons; links and focus rings follow from it. */
  readonly primary: ThemeColour;
  /** Text on primary buttons; absent: white or black. */
  readonly onPrimary?: ThemeColour | undefined;
  readonly background?: ThemeColour | undefined;
  /** Behind the content: cards, dialogs, fields. */
  readonly surface?: ThemeColour | undefined;
  readonly text?: ThemeColour | undefined;
  /** Of buttons and fields, px. */
  readonly radius?: number | undefined;
  /** Path of an SVG or a PNG, from the file of the deployment. */
  readonly logo?: string | undefined;
  /** Path of a WOFF2, from the file of the deployment. */
  readonly font?: string | undefined;
}

/** An identity provider (docs/behaviour.md#providers). */
interface ProviderConfig {
  readonly authorizationUrl: string;
  /** The exact `iss` of its responses (RFC 9207). By default any `iss` with the origin of `authorizationUrl` is accepted. */
  readonly issuer?: string | undefined;
}

/** The configuration block of the page (docs/behaviour.md#configuration). One build serves every environment. */
export interface AppConfig {
  readonly environment: string;
  /** Base address of the application; no trailing slash. */
  readonly signOnUrl: string;
  /** Base of the sign-on service, to which the contract's paths are appended; no trailing slash. */
  readonly serviceUrl: string;
  readonly cookies: {
    readonly prefix: string;
    /** Parent domain shared with sibling applications; absent: host-only cookies. */
    readonly domain?: string | undefined;
    readonly sameSite: 'Lax' | 'Strict' | 'None';
  };
  /** The grace period, s. Without one, a refresh call is never repeated before its response. */
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
  /** The brand of each variant: always `default` and `supplier-hub`, and others by the name of an application. */
  readonly brands: Readonly<Record<string, Brand>> & {
    readonly default: Brand;
    readonly 'supplier-hub': Brand;
  };
  readonly oneTimeLinks: 'auto' | 'click';
  /** The extensions that the service offers (docs/behaviour.md#extensions). Unknown names have no effect. */
  readonly extensions: readonly string[];
  /** The relying party of passkeys; present if `extensions` lists `passkeys`. */
  readonly passkeys?: { readonly rpId: string } | undefined;
  /** The languages that a user can choose (BCP 47), the default first; absent: English. */
  readonly languages?: readonly string[] | undefined;
  readonly devTools: boolean;
  /** Where the page reports its crashes; absent: not reported. */
  readonly reportsTo?: string | undefined;
}
