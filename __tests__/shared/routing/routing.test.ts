import { matchRoute } from '@app/routes';
import { linkIdIn,linkIdInQuery } from '@shared/routing/linkId';
import { linkRoutes,paths,withoutParameter } from '@vestibule/contract/paths';
import fc from 'fast-check';
import { anyLinkId } from '../../support/anyLinkId';
import { examples } from '@vestibule/contract/testing/examples';

/** As in the browser: an address is parsed before we see it. */
const asBrowserHasIt = (path: string) => new URL(path, 'http://login.payments.localhost:4000');

/** The id in an address, as the saga of its screen reads it. */
const linkIdOf = ({ pathname }: Pick<URL, 'pathname'>): string | null => {
  const { hash, magiclinkId } = matchRoute(pathname)?.params ?? {};
  return linkIdIn(hash ?? magiclinkId);
};

/** Segments that are mostly invalid: stray percent signs, invalid UTF-8, dots in any encoding. */
const brokenSegment = fc
  .array(fc.constantFrom('%', '%2', '%c3', '%A9', '%ff', '%ed%a0%80', '%2e', '%2E', '.', 'a', '%00'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((pieces) => pieces.join(''));

const decoded = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
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

  it.each(linkRoutes)('is read back from the address of %s, with any characters', (route) => {
    fc.assert(
      fc.property(anyLinkId, (id) => {
        expect(linkIdOf(asBrowserHasIt(paths[route](id)))).toBe(id);
        expect(linkIdOf(asBrowserHasIt(`${paths[route](id)}/?a=b#c`))).toBe(id);
      }),
      { numRuns: examples(1000) },
    );
  });

  it('is read back from the query of /reset', () => {
    fc.assert(
      fc.property(anyLinkId, (id) => {
        const query = new URLSearchParams({ hash: id }).toString();
        expect(linkIdInQuery(asBrowserHasIt(`/reset?${query}`).search)).toBe(id);
      }),
      { numRuns: examples(1000) },
    );
  });

  it('is null for a segment that cannot be decoded, or that is a relative path', () => {
    let none = 0;
    fc.assert(
      fc.property(brokenSegment, (segment) => {
        const text = decoded(segment);
        const expected = text === null || text === '.' || text === '..' ? null : text;
        if (expected === null) none += 1;
        expect(linkIdOf({ pathname: `/activate/${segment}` })).toBe(expected);
      }),
      { numRuns: examples(5000) },
    );
    // It produces valid and invalid ones.
    expect(none).toBeGreaterThan(examples(500));
    expect(none).toBeLessThan(examples(5000));
  });
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
