import type { AppConfig, Brand } from '@vestibule/contract/appConfig';

/** What decides how the page presents itself. Appearance only (docs/behaviour.md#appearance). */
export interface BrandFacts {
  /** The query's supplier-hub flag. */
  readonly supplierHub: boolean;
  /** The application name that the query passed, as it came; `null` for none. */
  readonly application: string | null;
  /** The page is served on one of `supplierHosts`. */
  readonly supplierHost: boolean;
}

/**
 * The label and the look for these facts.
 *
 * - Label: the supplier hub's, else the named application's, else e-pay's on a supplier host, else the default one. An
 *   unknown name changes nothing.
 * - Look: e-pay for the application `e-pay` or `epay`, on a supplier host, or where the brand that gave the label
 *   has that look (docs/behaviour.md#appearance).
 *
 * @param brands - `brands` of the configuration
 */
export function brandFor(
  { supplierHub, application, supplierHost }: BrandFacts,
  brands: AppConfig['brands'],
): Brand {
  const named = supplierHub ? brands['supplier-hub'] : applicationBrand(application, brands);
  const hosted = supplierHost ? applicationBrand('e-pay', brands) : undefined;
  const { label, look } = named ?? hosted ?? brands.default;
  return { label, look: supplierHost || isEpay(application) ? 'epay' : look };
}

/** The document's title: 'Screen – Product', or the product alone. */
export function documentTitle({ label }: Pick<Brand, 'label'>, screen?: string): string {
  return screen === undefined ? label : `${screen} – ${label}`;
}

/** Both spellings are one application, whichever the configuration holds (docs/behaviour.md#query-of-the-login-page). */
const epaySpellings = ['e-pay', 'epay'] as const;

export const isEpay = (application: string | null): boolean =>
  epaySpellings.some((name) => name === application);

function applicationBrand(application: string | null, brands: AppConfig['brands']): Brand | undefined {
  if (application === null) return undefined;
  const spellings = isEpay(application) ? epaySpellings : [application];
  // Own keys only: the name comes from the address, and `?application=constructor` must find nothing.
  const spelling = spellings.find((name) => Object.hasOwn(brands, name));
  return spelling === undefined ? undefined : brands[spelling];
}

/** The key of the look in the storage of the tab: a query as {@link readBrandQuery} reads it. */
export const brandKey = 'brand';

/** The text under {@link brandKey}. */
export function writeBrandQuery({ supplierHub, application }: BrandFacts): string {
  return new URLSearchParams({
    supplierHub: String(supplierHub),
    application: application ?? '',
  }).toString();
}

/**
 * What a query says about the look (docs/behaviour.md#query-of-the-login-page): `supplierHub` present and not `false`; `application` a name. What
 * it does not mention is left out of the result.
 */
export function readBrandQuery(search: string): Partial<Pick<BrandFacts, 'supplierHub' | 'application'>> {
  const query = new URLSearchParams(search);
  const supplierHub = query.get('supplierHub');
  const application = query.get('application');
  return {
    ...(supplierHub === null ? {} : { supplierHub: supplierHub !== 'false' }),
    ...(application === null ? {} : { application: application === '' ? null : application }),
  };
}
