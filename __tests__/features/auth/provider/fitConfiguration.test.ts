/** @jest-environment node */
import { isFitConfiguration, microsoftAuthorizationUrl } from '@features/auth/provider/authorizationUrl';
import fc from 'fast-check';
import { methods, testConfig } from '../../../support/builders';
import { examples } from '../../../support/examples';

const { tenantId, clientId } = methods.microsoft.configuration;

/** What an address must not be made from. */
const hostile = [
  ...[
    '',
    ' ',
    '.',
    '..',
    '../..',
    '..%2f..',
    '/',
    '\\',
    'a/b',
    'a\\b',
    '//evil.example',
    'javascript:alert(1)',
  ],
  ...[
    'x?y',
    'x#y',
    'x&y=z',
    '@evil.example',
    'common@evil.example',
    'evil.example/',
    'evil.example:80',
    '{tenantId}',
  ],
  ...[
    '$&',
    '$`',
    'common\n',
    '\ncommon',
    'common\u0000',
    ' common',
    'common ',
    'Common',
    'COMMON',
    'commons',
  ],
  ...[`${tenantId}\n`, ` ${tenantId}`, `${tenantId}/x`, `{${tenantId}}`, tenantId.slice(1), `${tenantId}0`],
  ...[
    tenantId.replaceAll('-', ''),
    tenantId.replace('6', 'g'),
    'evil..example',
    '-evil.example',
    'evil-.example',
  ],
  ...['.example', 'example.', 'localhost', '1.2.3.4', 'exämple.com', '%63ommon', `${'a'.repeat(64)}.example`],
  `${'a.'.repeat(127)}example`,
];

describe('the tenant', () => {
  it.each([
    tenantId,
    tenantId.toUpperCase(),
    ...['common', 'organizations', 'consumers'],
    ...['contoso.com', 'contoso.onmicrosoft.com', 'a-b.contoso.co', `${'a'.repeat(63)}.example`],
  ])('may be %s', (tenant) => {
    expect(isFitConfiguration({ tenantId: tenant, clientId })).toBe(true);
  });

  it.each(hostile)('may not be %j', (tenant) => {
    expect(isFitConfiguration({ tenantId: tenant, clientId })).toBe(false);
  });
});

describe('the client', () => {
  it('may be a GUID, in either case', () => {
    expect(isFitConfiguration({ tenantId, clientId: clientId.toUpperCase() })).toBe(true);
  });

  it.each([...hostile, 'contoso.com', 'common'])('may not be %j', (client) => {
    expect(isFitConfiguration({ tenantId, clientId: client })).toBe(false);
  });
});

it('a configuration that is missing is not fit', () => {
  expect(isFitConfiguration(undefined)).toBe(false);
});

it('whatever is found fit stays one segment of the provider’s address', () => {
  const pieces = fc.constantFrom(
    'a',
    'B',
    '0',
    '-',
    '.',
    '/',
    '\\',
    '?',
    '#',
    '@',
    ':',
    '%',
    '$',
    '&',
    '..',
    'com',
    '\n',
  );
  const near = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom(tenantId, 'common', 'contoso.com'), pieces, fc.nat(40))
      .map(([text, piece, at]) => text.slice(0, at) + piece + text.slice(at)),
    fc.domain(),
    fc.uuid(),
  );
  let fit = 0;
  fc.assert(
    fc.property(near, (tenant) => {
      const configuration = { tenantId: tenant, clientId };
      if (!isFitConfiguration(configuration)) return;
      fit += 1;
      const secrets = { state: 's', nonce: 'n', challenge: 'c' };
      const href = microsoftAuthorizationUrl(testConfig(), configuration, secrets, {
        loginHint: null,
        forced: false,
      });
      const { host, pathname } = new URL(href ?? '');
      expect(host).toBe('microsoft.payments.localhost:4000');
      expect(pathname).toBe(`/${tenant}/oauth2/v2.0/authorize`);
    }),
    { numRuns: examples(5000) },
  );
  expect(fit).toBeGreaterThan(examples(500));
});
