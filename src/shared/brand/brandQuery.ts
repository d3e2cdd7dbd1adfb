import type { BrandFacts } from './brand';

/**
 * What a query says about the look (decisions §5): `supplierHub` present and not `false`; `application` a name. What
 * it does not mention is left out of the answer.
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
