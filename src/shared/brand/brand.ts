import type { AppConfig, Brand, ThemeColour } from '@vestibule/contract/appConfig';
import { backgroundOf } from '@vestibule/contract/background';

/** The label, the look and the theme of the page. */
export interface Appearance extends Pick<Brand, 'label' | 'look'> {
  /** The name of the brand if it has a theme. */
  readonly theme: string | undefined;
}

/** The facts that decide the label and the look (docs/behaviour.md#appearance). */
export interface BrandFacts {
  /** The flag `supplierHub` of the query. */
  readonly supplierHub: boolean;
  /** The application in the query, or `null`. */
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
): Appearance {
  const named = supplierHub ? 'supplier-hub' : nameIn(brands, application);
  const name = named ?? nameIn(brands, supplierHost ? 'e-pay' : 'default') ?? 'default';
  const { label, look, theme } = brands[name] ?? brands.default;
  return { label, look: supplierHost || isEpay(application) ? 'epay' : look, theme: theme && name };
}

/** The background of the brand that is shown, for the bars of the browser. */
export const backgroundFor = ({ look, theme }: Appearance, brands: AppConfig['brands']): ThemeColour =>
  backgroundOf(brands[theme ?? ''] ?? { look });

/** The document's title: 'Screen – Product', or the product alone. */
export function documentTitle({ label }: Pick<Brand, 'label'>, screen?: string): string {
  return screen === undefined ? label : `${screen} – ${label}`;
}

/** The spellings of one application. The configuration may contain either (docs/behaviour.md#query-of-the-login-page). */
const epaySpellings = ['e-pay', 'epay'] as const;

export const isEpay = (application: string | null): boolean =>
  epaySpellings.some((name) => name === application);

function nameIn(brands: AppConfig['brands'], application: string | null): string | undefined {
  const spellings = isEpay(application) ? epaySpellings : [application ?? ''];
  // Only own keys count, because the name comes from the address: `?application=constructor` must find nothing.
  return spellings.find((name) => Object.hasOwn(brands, name));
}

/** The key in the storage of the tab of the query that decides the look. */
export const brandKey = 'brand';

/** The text to store under {@link brandKey}. */
export function writeBrandQuery({ supplierHub, application }: BrandFacts): string {
  return new URLSearchParams({
    supplierHub: String(supplierHub),
    application: application ?? '',
  }).toString();
}

/**
 * What a query says about the look (docs/behaviour.md#query-of-the-login-page): `supplierHub`, which is set when present and
 * not `false`, and `application`. The result lacks what the query lacks.
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
