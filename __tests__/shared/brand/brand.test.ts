import { backgroundFor, type BrandFacts, brandFor, documentTitle, readBrandQuery } from '@shared/brand/brand';

const brands = {
  default: { label: 'Payments', look: 'default' },
  'supplier-hub': { label: 'Supplier Hub', look: 'default' },
  ledger: { label: 'Ledger', look: 'default' },
  'e-pay': { label: 'e-Pay', look: 'epay' },
} as const;

const nothing: BrandFacts = { supplierHub: false, application: null, supplierHost: false };
const brand = (facts: Partial<BrandFacts>) => brandFor({ ...nothing, ...facts }, brands);

describe('the brand of the page', () => {
  it.each([
    ['the query has no parameters', {}, 'Payments', 'default'],
    ['the query has the supplier hub’s flag', { supplierHub: true }, 'Supplier Hub', 'default'],
    ['the query names an application', { application: 'ledger' }, 'Ledger', 'default'],
    ['the query names e-pay', { application: 'e-pay' }, 'e-Pay', 'epay'],
    ['the query names e-pay in its other spelling', { application: 'epay' }, 'e-Pay', 'epay'],
    ['the page is on a supplier host', { supplierHost: true }, 'e-Pay', 'epay'],
    ['the query names an unknown application', { application: 'unheard-of' }, 'Payments', 'default'],
    ['the query names an inherited property', { application: 'constructor' }, 'Payments', 'default'],
    ['the query names the prototype', { application: '__proto__' }, 'Payments', 'default'],
    [
      'it has both flag and application',
      { supplierHub: true, application: 'ledger' },
      'Supplier Hub',
      'default',
    ],
    ['the query has both flag and e-pay', { supplierHub: true, application: 'epay' }, 'Supplier Hub', 'epay'],
    ['it names one on a supplier host', { application: 'ledger', supplierHost: true }, 'Ledger', 'epay'],
  ] as const)('when %s', (_case, facts, label, look) => {
    expect(brand(facts)).toEqual({ label, look, theme: undefined });
  });

  it.each(['e-pay', 'epay'])('has the look of e-pay for %s even without such a brand', (application) => {
    const { default: fallback, 'supplier-hub': hub } = brands;
    expect(brandFor({ ...nothing, application }, { default: fallback, 'supplier-hub': hub })).toEqual({
      label: 'Payments',
      look: 'epay',
      theme: undefined,
    });
  });

  it('has the theme of the brand that gives the label', () => {
    const themed = { ...brands, ledger: { ...brands.ledger, theme: { primary: '#0a5a66' } } };
    expect(brandFor({ ...nothing, application: 'ledger' }, themed).theme).toBe('ledger');
    expect(brandFor({ ...nothing, application: 'e-pay' }, themed).theme).toBeUndefined();
  });

  it('has the background of its theme or, without one, of the look that is shown', () => {
    const background = { light: '#fbf3e4', dark: '#17110b' };
    const theme = { primary: '#0a5a66', background };
    const themed = { ...brands, ledger: { ...brands.ledger, theme } };
    const of = (facts: Partial<BrandFacts>) =>
      backgroundFor(brandFor({ ...nothing, supplierHost: true, ...facts }, themed), themed);
    expect(of({ supplierHost: false })).toEqual({ light: '#eef2f2', dark: '#0b1518' });
    expect(of({})).toEqual({ light: '#f5f3f0', dark: '#121019' });
    expect(of({ application: 'ledger' })).toEqual(background);
  });

  it('finds e-pay under either spelling in the configuration', () => {
    const spelled = { ...brands, epay: { label: 'ePay', look: 'epay' } } as const;
    const { 'e-pay': _left, ...onlyEpay } = spelled;
    expect(brandFor({ ...nothing, application: 'e-pay' }, onlyEpay).label).toBe('ePay');
  });
});

describe('the title of the document', () => {
  it('names the screen and the product', () => {
    expect(documentTitle(brands.ledger, 'Sign In')).toBe('Sign In – Ledger');
  });

  it('names the product alone if there is no screen', () => {
    expect(documentTitle(brands.default)).toBe('Payments');
  });
});

it.each([
  ['', {}],
  ['?url=%2Fx', {}],
  ['?supplierHub', { supplierHub: true }],
  ['?supplierHub=', { supplierHub: true }],
  ['?supplierHub=true', { supplierHub: true }],
  ['?supplierHub=0', { supplierHub: true }],
  ['?supplierHub=false', { supplierHub: false }],
  ['?SUPPLIERHUB', {}],
  ['?application=ledger', { application: 'ledger' }],
  ['?application=e-pay&supplierHub', { application: 'e-pay', supplierHub: true }],
  ['?application=', { application: null }],
  ['?application=a&application=b', { application: 'a' }],
  ['?application=%3Cb%3E', { application: '<b>' }],
  ['?application=__proto__', { application: '__proto__' }],
  ['?application=%zz', { application: '%zz' }],
])('the look of a query %s is %j', (search, facts) => {
  expect(readBrandQuery(search)).toEqual(facts);
});
