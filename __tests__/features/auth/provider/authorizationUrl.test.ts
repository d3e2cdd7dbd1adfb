/** @jest-environment node */
import {
  googleAuthorizationUrl,
  isFitConfiguration,
  loginHintOf,
  microsoftAuthorizationUrl,
} from '@features/auth/provider/authorizationUrl';
import fc from 'fast-check';
import { methods, testConfig } from '../../../support/builders';
import { examples } from '@vestibule/contract/testing/examples';

const secrets = { state: 'state-1', nonce: 'nonce-1', challenge: 'challenge-1' };
const { configuration } = methods.microsoft;
const ada = { loginHint: 'ada@example.com', forced: false };
const asked = { login_hint: 'ada@example.com', prompt: 'login' };

/** Address without its query, and the query as sorted pairs, so that duplicates are visible. */
const parts = (href: string | null) => {
  const url = new URL(href ?? 'none:');
  return { page: url.origin + url.pathname + url.hash, parameters: [...url.searchParams].sort() };
};

describe('the request to the Google-type provider has exactly', () => {
  const always = {
    client_id: 'google-client',
    redirect_uri: 'http://login.payments.localhost:4000/oauth-redirect',
    response_type: 'code',
    scope: 'profile email openid',
    state: 'state-1',
  };

  it.each([
    ['consent by default', ada, { login_hint: 'ada@example.com', prompt: 'consent' }],
    ['the credentials, when forced', { ...ada, forced: true }, asked],
    ['no hint without an e-mail', { loginHint: null, forced: false }, { prompt: 'consent' }],
  ])('%s', (_name, request, further) => {
    expect(parts(googleAuthorizationUrl(testConfig(), secrets, request))).toEqual({
      page: 'http://google.payments.localhost:4000/o/oauth2/v2/auth',
      parameters: Object.entries({ ...always, ...further }).sort(),
    });
  });
});

describe('the request to the Microsoft-type provider has exactly', () => {
  const always = {
    client_id: '0a1b2c3d-4e5f-4061-8273-8495a6b7c8d9',
    code_challenge: 'challenge-1',
    code_challenge_method: 'S256',
    nonce: 'nonce-1',
    redirect_uri: 'http://login.payments.localhost:4000/oauth-redirect',
    response_type: 'code',
    scope: 'offline_access user.read',
    state: 'state-1',
  };

  it.each([
    ['no prompt by default', ada, { login_hint: 'ada@example.com' }],
    ['the credentials, when forced', { ...ada, forced: true }, asked],
    ['no hint without an e-mail', { loginHint: null, forced: false }, {}],
  ])('%s', (_name, request, further) => {
    expect(parts(microsoftAuthorizationUrl(testConfig(), configuration, secrets, request))).toEqual({
      page: 'http://microsoft.payments.localhost:4000/6b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d/oauth2/v2.0/authorize',
      parameters: Object.entries({ ...always, ...further }).sort(),
    });
  });
});

describe('a provider’s authorization URL', () => {
  it('keeps the configured query, and has no parameter twice', () => {
    const google = {
      clientId: 'google-client',
      authorizationUrl: 'https://accounts.example/auth?hd=example.com&state=fixed',
    };
    const url = googleAuthorizationUrl(testConfig({ google }), secrets, ada);
    expect(parts(url).parameters).toContainEqual(['hd', 'example.com']);
    expect(new URL(url ?? '').searchParams.getAll('state')).toEqual(['state-1']);
  });

  it('is not altered by a hint with special characters', () => {
    const loginHint = 'a&prompt=none&state=x#y@example.com';
    const { searchParams, hash } = new URL(
      googleAuthorizationUrl(testConfig(), secrets, { loginHint, forced: false }) ?? '',
    );
    expect(searchParams.get('login_hint')).toBe(loginHint);
    expect([searchParams.getAll('prompt'), searchParams.getAll('state'), hash]).toEqual([
      ['consent'],
      ['state-1'],
      '',
    ]);
  });

  it('is null if the configuration contains no web address', () => {
    const google = { clientId: 'google-client', authorizationUrl: 'javascript:alert(1)' };
    expect(googleAuthorizationUrl(testConfig({ google }), secrets, ada)).toBeNull();
  });
});

const { tenantId, clientId } = methods.microsoft.configuration;

/** Values that must not be put into an address. */
const unsafe = [
  ...String.raw`. .. ../.. ..%2f.. / \ a/b a\b //evil.example javascript:alert(1) x?y x#y x&y=z`.split(' '),
  ...'@evil.example common@evil.example evil.example/ evil.example:80 {tenantId} $& $` Common COMMON'.split(
    ' ',
  ),
  ...'commons evil..example -evil.example evil-.example .example example. localhost 1.2.3.4'.split(' '),
  ...['', ' ', 'common\n', '\ncommon', 'common\u0000', ' common', 'common ', 'exämple.com', '%63ommon'],
  ...[`${tenantId}\n`, ` ${tenantId}`, `${tenantId}/x`, `{${tenantId}}`, tenantId.slice(1), `${tenantId}0`],
  ...[tenantId.replaceAll('-', ''), tenantId.replace('6', 'g')],
  ...[`${'a'.repeat(64)}.example`, `${'a.'.repeat(127)}example`],
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

  it.each(unsafe)('may not be %j', (tenant) => {
    expect(isFitConfiguration({ tenantId: tenant, clientId })).toBe(false);
  });
});

describe('the client', () => {
  it('may be a GUID, in either case', () => {
    expect(isFitConfiguration({ tenantId, clientId: clientId.toUpperCase() })).toBe(true);
  });

  it.each([...unsafe, 'contoso.com', 'common'])('may not be %j', (client) => {
    expect(isFitConfiguration({ tenantId, clientId: client })).toBe(false);
  });
});

it('a missing configuration is invalid', () => {
  expect(isFitConfiguration(undefined)).toBe(false);
});

it('every accepted value stays one segment of the provider’s address', () => {
  const pieces = fc.constantFrom(...Array.from(String.raw`aB0-./\?#@:%$&`), '..', 'com', '\n');
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

describe('the login hint', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['ada+invoices@example.com', 'ada@example.com'],
    ['ada+one+two@example.com', 'ada@example.com'],
    ['ada+@example.com', 'ada@example.com'],
    ['Ada.Lovelace+X@Example.COM', 'Ada.Lovelace@Example.COM'],
    ['ada@sub+domain.example.com', 'ada@sub+domain.example.com'],
    ['"ada@home"@example.com', '"ada@home"@example.com'],
    ['adá+ü@exämple.com', 'adá@exämple.com'],
    ['ada_b-c%d@example.com', 'ada_b-c%d@example.com'],
  ])('of %s is %s', (username, hint) => {
    expect(loginHintOf(username)).toBe(hint);
  });

  it.each(['', 'ada', 'ada+x', '@', '@example.com', '+@example.com', '+x@example.com', 'ada@', 'ada+x@'])(
    'is none for %j, which is not an e-mail',
    (username) => {
      expect(loginHintOf(username)).toBeNull();
    },
  );

  it('is, for any e-mail, the part before the first plus at the same domain', () => {
    const mailbox = fc.stringMatching(/^[a-z0-9._%-]{1,20}$/);
    const suffix = fc.oneof(
      fc.constant(''),
      fc.string({ maxLength: 10 }).map((text) => `+${text.replace('@', '')}`),
    );
    const domain = fc.stringMatching(/^[a-z0-9.+-]{1,20}$/);
    fc.assert(
      fc.property(mailbox, suffix, domain, (local, plus, host) => {
        expect(loginHintOf(`${local}${plus.replaceAll('@', '')}@${host}`)).toBe(`${local}@${host}`);
      }),
    );
  });
});
