import { readBrandQuery } from '@shared/brand/brand';

describe('what a query says about the look', () => {
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
  ])('%s is %j', (search, facts) => {
    expect(readBrandQuery(search)).toEqual(facts);
  });
});
