import { findRoute } from '@app/routes';
import { linkIdIn, linkIdInQuery } from '@shared/routing/linkId';
import { paths, withoutParameter } from '@vestibule/contract/paths';
import fc from 'fast-check';
import { anyLinkId } from '../../support/anyLinkId';
import { examples } from '@vestibule/contract/testing/examples';

/** As in the browser: an address is parsed before we see it. */
const asBrowserHasIt = (path: string) => new URL(path, 'http://login.payments.localhost:4000');

/** The id in an address, as the saga of its screen reads it. */
const linkIdOf = ({ pathname }: Pick<URL, 'pathname'>): string | null => {
  const { hash, magiclinkId } = findRoute(pathname)?.params ?? {};
  return linkIdIn(hash ?? magiclinkId);
};

describe('the id of a one-time link', () => {
  it.each([
    ['/reset-password/abc', 'abc'],
    ['/activate/a%2Fb%20c', 'a/b c'],
    ['/redirect/%F0%9F%98%80', '😀'],
    ['/secret-key/abc/', 'abc'],
  ])('of %s is %j', (pathname, id) => {
    expect(linkIdOf({ pathname })).toBe(id);
  });

  it.each(['/activate/.', '/activate/..', '/activate/%2e', '/activate/%2E%2e', '/activate/%', '/login', '/'])(
    '%s has none that could be sent',
    (pathname) => {
      expect(linkIdOf({ pathname })).toBeNull();
    },
  );

  it.each([
    ['?hash=abc', 'abc'],
    ['?hash=', null],
    ['?hash=..', null],
    ['', null],
    ['?hash=a%2Fb&hash=c', 'a/b'],
  ])('in the query %j is %j', (search, id) => {
    expect(linkIdInQuery(search)).toBe(id);
  });

  it('is null if it is longer than any issued id', () => {
    expect(linkIdOf({ pathname: `/activate/${'a'.repeat(512)}` })).toHaveLength(512);
    expect(linkIdOf({ pathname: `/activate/${'a'.repeat(513)}` })).toBeNull();
  });

  it.each(['resetPassword', 'activate', 'secretKey', 'magicLink'] as const)(
    'is read back from the address of %s, with any characters',
    (route) => {
      fc.assert(
        fc.property(anyLinkId, (id) => {
          expect(linkIdOf(asBrowserHasIt(paths[route](id)))).toBe(id);
          expect(linkIdOf(asBrowserHasIt(`${paths[route](id)}/?a=b#c`))).toBe(id);
        }),
        { numRuns: examples(1000) },
      );
    },
  );
});

it.each([
  ['', ''],
  ['?', ''],
  ['?mode=verify', ''],
  ['?mode', ''],
  ['?m%6Fde=verify', ''],
  ['?mode=verify&mode=other', ''],
  ['?url=https%3A%2F%2Fledger.test%2F%3Fmode%3Dverify', '?url=https%3A%2F%2Fledger.test%2F%3Fmode%3Dverify'],
  ['?url=/a+b&mode=verify&supplierHub', '?url=/a+b&supplierHub'],
  ['?Mode=verify&model=x&a=%zz', '?Mode=verify&model=x&a=%zz'],
])('of %j without its mode is %j', (search, left) => {
  expect(withoutParameter(search, 'mode')).toBe(left);
});
