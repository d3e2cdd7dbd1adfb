import { parseConfig } from '@vestibule/contract/pageConfig';
import { describeRefusal } from '@vestibule/contract/pageConfigMessages';
import { themeStyle } from '@vestibule/contract/themeStyle';
import * as fc from 'fast-check';
import { environmentConfig } from '@vestibule/local';
import { testConfig } from '../support/builders';

const valid = testConfig();
type Path = readonly string[];

/** The valid configuration with one key changed; `undefined` leaves it out. */
function changed(path: Path, value: unknown): string {
  const change = (object: unknown, [head = '', ...rest]: Path): unknown => ({
    ...(object as object),
    [head]: rest.length === 0 ? value : change(Reflect.get(object as object, head), rest),
  });
  return JSON.stringify(change(valid, path));
}

const pathOf = (key: string): Path => key.split('.');
const reject = (text: string | null) => {
  const result = parseConfig(text);
  if (result.ok) throw new Error('it was accepted');
  return { key: result.refusal.key, message: describeRefusal(result.refusal) };
};
const accept = (text: string) => {
  const result = parseConfig(text);
  if (!result.ok) throw new Error(describeRefusal(result.refusal));
  return result.config;
};

it('accepts the block as it is', () => {
  expect(parseConfig(JSON.stringify(valid))).toEqual({ ok: true, config: valid });
});

it('accepts the block of the local environment', () => {
  expect(parseConfig(JSON.stringify(environmentConfig(4000)))).toEqual({
    ok: true,
    config: environmentConfig(4000),
  });
});

it.each([
  ['is missing', null, "The configuration block 'app-config' is missing from the page"],
  ['is empty', '', "The configuration block 'app-config' is not valid JSON"],
  ['was never filled in', '%APP_CONFIG%', "The configuration block 'app-config' is not valid JSON"],
  ['is not an object', '5', "The configuration block 'app-config' must be a JSON object"],
  ['is null', 'null', "The configuration block 'app-config' must be a JSON object"],
])('a missing block %s', (_case, text, message) => {
  expect(reject(text)).toEqual({ key: 'app-config', message });
});

const required = [
  'environment signOnUrl serviceUrl cookies cookies.prefix redirectHosts parentOrigins',
  'shortLinkHosts supplierHosts links links.supplierSite links.marketingSite links.supportEmail',
  'links.providerSupport google google.clientId google.authorizationUrl microsoft',
  'microsoft.authorizationUrl brands brands.default brands.supplier-hub brands.default.label',
  'brands.default.look brands.ledger.look',
];
it.each(required.join(' ').split(' '))('reports the missing key %s', (key) => {
  expect(reject(changed(pathOf(key), undefined))).toEqual({
    key,
    message: `Configuration key '${key}' is missing`,
  });
});

const ofSignOn = 'must be the host of signOnUrl or a parent of it: browsers refuse the cookies otherwise';
const ofTenant = 'must be an absolute http(s) URL with {tenantId} in its path';
it.each<[string, unknown, string]>([
  ['environment', 5, 'must be a string'],
  ['environment', '  ', 'must not be empty'],
  ['signOnUrl', '/login', 'must be an absolute http(s) URL'],
  ['signOnUrl', 'https:login.example.com', 'must be an absolute http(s) URL'],
  ['signOnUrl', 'ftp://login.example.com', 'must be an absolute http(s) URL'],
  ['signOnUrl', 'javascript:alert(1)', 'must be an absolute http(s) URL'],
  ['signOnUrl', 'https://login.example.com@evil.example', 'must be an absolute http(s) URL'],
  ['signOnUrl', 'https://login.example.com\\@evil.example', 'must be an absolute http(s) URL'],
  ['signOnUrl', 'https://login.example.com/sso', 'must be an origin such as https://login.example.com'],
  ['signOnUrl', null, 'must be a string'],
  ['serviceUrl', '//api.example.com', 'must be an absolute http(s) URL'],
  ['serviceUrl', 'https://', 'must be an absolute http(s) URL'],
  ['serviceUrl', 'https://api.example.com?x=1', 'must not have a query or a fragment'],
  ['cookies', 'payments', 'must be an object'],
  ['cookies.prefix', 'a b', 'must consist of letters, digits, dots, hyphens and underscores'],
  ['cookies.prefix', 'a;domain=x', 'must consist of letters, digits, dots, hyphens and underscores'],
  ['cookies.domain', 'https://example.com', 'must be a domain such as example.com'],
  ['cookies.domain', 'a.com; secure', 'must be a domain such as example.com'],
  ['cookies.domain', 'example.com:4000', 'must be a domain such as example.com'],
  ['cookies.domain', 'other.localhost', ofSignOn],
  ['cookies.domain', 'ayments.localhost', ofSignOn],
  ['cookies.sameSite', 'lax', "must be 'Lax', 'Strict' or 'None'"],
  ['refreshGraceSeconds', '10', 'must be a number of seconds'],
  ['refreshGraceSeconds', -1, 'must be a number of seconds'],
  ['redirectHosts', '*.payments.localhost', 'must be a list'],
  ['redirectHosts.0', '*', 'must be a host, or a pattern such as *.example.com:8443'],
  ['redirectHosts.0', '*.com', 'must be a host, or a pattern such as *.example.com:8443'],
  ['redirectHosts.0', 'a.*.example.com', 'must be a host, or a pattern such as *.example.com:8443'],
  ['redirectHosts.0', 'https://a.example.com', 'must be a host, or a pattern such as *.example.com:8443'],
  ['redirectHosts.0', 'a.example.com/', 'must be a host, or a pattern such as *.example.com:8443'],
  ['redirectHosts.0', 'a.example.com:', 'must be a host, or a pattern such as *.example.com:8443'],
  ['parentOrigins', 'http://hub.example', 'must be a list'],
  ['parentOrigins.0', 'hub.example', 'must be an absolute http(s) URL'],
  ['parentOrigins.0', '*', 'must be an absolute http(s) URL'],
  ['parentOrigins.0', 'https://hub.example/page', 'must be an origin such as https://login.example.com'],
  ['shortLinkHosts.0', '*.example.com', 'must be a host such as go.example.com:8443'],
  ['supplierHosts.0', 5, 'must be a string'],
  ['links.supplierSite', 'suppliers.example', 'must be an absolute http(s) URL'],
  ['links.marketingSite', 'javascript:alert(1)//', 'must be an absolute http(s) URL'],
  ['links.supportEmail', 'support', 'must be an e-mail address'],
  ['links.providerSupport', '', 'must not be empty'],
  ['google.clientId', '', 'must not be empty'],
  ['google.authorizationUrl', '/auth', 'must be an absolute http(s) URL'],
  ['google.issuer', 'accounts.example', 'must be an absolute http(s) URL'],
  ['microsoft.issuer', 5, 'must be a string'],
  ['microsoft.authorizationUrl', 'https://ms.example/authorize', 'must contain {tenantId} once'],
  ['microsoft.authorizationUrl', 'https://{tenantId}.example/authorize', ofTenant],
  ['microsoft.authorizationUrl', '/{tenantId}/authorize', ofTenant],
  ['brands', [], 'is missing'],
  ['brands.ledger', 'Ledger', 'must be an object'],
  ['brands.ledger.look', 'dark', "must be 'default' or 'epay'"],
  ['brands.ledger.label', '', 'must not be empty'],
  ['oneTimeLinks', 'never', "must be 'auto' or 'click'"],
  ['extensions', 'revoke', 'must be a list'],
  ['extensions.0', 5, 'must be a string'],
  ['passkeys.rpId', 'https://login.payments.localhost', 'must be a domain such as example.com'],
  [
    'passkeys.rpId',
    'suppliers.payments.localhost',
    'must be the host of signOnUrl or a parent of it: browsers refuse the passkeys otherwise',
  ],
  ['languages', 'de', 'must be a list'],
  ['languages.0', 'german', 'must be a language tag such as pt-BR'],
  ['devTools', 'false', 'must be true or false'],
])('reports the malformed key %s, here %j', (key, value, fault) => {
  const path = pathOf(key);
  const list = path[1] === '0';
  const result = reject(list ? changed([path[0] ?? ''], [value]) : changed(path, value));
  // An array is an object without the two brands.
  const named = key === 'brands' ? 'brands.default' : key;
  expect(result).toEqual({ key: named, message: `Configuration key '${named}' ${fault}` });
});

it('rejects a service that browsers would not call from an https page', () => {
  const config = { ...valid, signOnUrl: 'https://login.payments.localhost', cookies: { prefix: 'p' } };
  expect(reject(JSON.stringify(config)).key).toBe('serviceUrl');
  expect(accept(JSON.stringify({ ...config, serviceUrl: 'https://api.example' })).serviceUrl).toBe(
    'https://api.example',
  );
});

it('needs the relying party where it offers passkeys, and accepts the login host and its parents', () => {
  const extensions = ['passkeys'];
  expect(reject(JSON.stringify({ ...valid, extensions })).key).toBe('passkeys.rpId');
  for (const rpId of ['login.payments.localhost', 'payments.localhost'])
    expect(accept(JSON.stringify({ ...valid, extensions, passkeys: { rpId } })).passkeys).toEqual({ rpId });
});

it('accepts unknown extensions: the page may be older than the configuration', () => {
  const written = ['of-a-later-build', 'revoke'];
  expect(accept(changed(['extensions'], written)).extensions).toEqual(written);
});

it('fills in the defaults', () => {
  const { oneTimeLinks: _auto, extensions: _none, devTools: _off, ...rest } = valid;
  const config = accept(JSON.stringify({ ...rest, cookies: { prefix: 'p' } }));
  expect(config).toMatchObject({ oneTimeLinks: 'auto', extensions: [], devTools: false });
  expect(config.cookies).toStrictEqual({ prefix: 'p', sameSite: 'Lax' });
  expect(config.refreshGraceSeconds).toBeUndefined();
});

it.each<[string, string, string]>([
  ['signOnUrl', 'http://Login.Payments.Localhost:4000/', 'http://login.payments.localhost:4000'],
  ['serviceUrl', 'https://api.example/sso//', 'https://api.example/sso'],
  ['cookies.domain', 'Payments.Localhost', 'payments.localhost'],
  ['links.supplierSite', 'https://suppliers.example/home/?a=b', 'https://suppliers.example/home/?a=b'],
  ['google.issuer', 'https://accounts.example/', 'https://accounts.example/'],
  ['links.marketingSite', 'https://social.example/@payments', 'https://social.example/@payments'],
])('reads %s %s as %s', (key, written, read) => {
  const config = accept(changed(pathOf(key), written));
  expect(pathOf(key).reduce<unknown>((object, name) => Reflect.get(object as object, name), config)).toBe(
    read,
  );
});

it('normalises hosts and origins as browsers write them', () => {
  const config = accept(
    JSON.stringify({
      ...valid,
      redirectHosts: ['*.Example.COM:8443', 'a.example.com', '[::1]:4000'],
      parentOrigins: ['https://Hub.example/'],
    }),
  );
  expect(config.redirectHosts).toEqual(['*.example.com:8443', 'a.example.com', '[::1]:4000']);
  expect(config.parentOrigins).toEqual(['https://hub.example']);
});

describe('a block that lists what its page was not filled with', () => {
  const themed = {
    ...valid,
    languages: ['en', 'de'],
    brands: { ...valid.brands, 'e pay': { label: 'e-Pay', look: 'epay', theme: { primary: '#005577' } } },
  };
  const texts = '["/assets/*.login.json","","|Anmelden"]';
  const head = `<style>${themeStyle(themed.brands as typeof valid.brands)}</style>`;

  it('is accepted where all of it is there, or is still to be filled in', () => {
    const text = JSON.stringify(themed);
    expect(parseConfig(text, { languages: texts, head })).toMatchObject({ ok: true });
    expect(parseConfig(text)).toMatchObject({ ok: true });
    const english = JSON.stringify({ ...valid, languages: ['en'] });
    expect(parseConfig(english, { languages: null, head: '' })).toMatchObject({ ok: true });
  });

  it.each([
    ['languages', 'no texts', { languages: null, head }],
    ['languages', 'texts of fewer languages', { languages: '["/assets/*.login.json",""]', head }],
    ['languages', 'texts in another order', { languages: '["/*.json","|Anmelden",""]', head }],
    ['languages', 'malformed texts', { languages: '<!-- none -->', head }],
    ['languages', 'something else', { languages: '{}', head }],
    ['brands.e pay.theme', 'no style', { languages: texts, head: '' }],
    ['brands.e pay.theme', 'the style of another brand', { languages: texts, head: '[data-theme="e"]' }],
  ])('is refused by its key %s: %s', (key, _what, filled) => {
    const result = parseConfig(JSON.stringify(themed), filled);
    if (result.ok) throw new Error('it was accepted');
    expect(describeRefusal(result.refusal)).toBe(
      `Configuration key '${key}' must be filled in by the service or by 'vestibule page': this page lacks its texts or its style`,
    );
  });
});

it('ignores unknown keys', () => {
  expect(accept(JSON.stringify({ ...valid, comment: 'x' }))).toEqual(valid);
});

describe('brands, which the query selects', () => {
  const brand = '{"label":"Evil","look":"epay"}';
  const withBrands = (extra: string) => JSON.stringify(valid).replace('"brands":{', `"brands":{${extra},`);

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'nobody'])('has no brand %s', (name) => {
    expect(accept(JSON.stringify(valid)).brands[name]).toBeUndefined();
  });

  it('cannot be given a prototype', () => {
    const { brands } = accept(withBrands(`"__proto__":${brand}`));
    expect(brands['label']).toBeUndefined();
    expect(brands['__proto__']).toBeUndefined();
    expect({}).not.toHaveProperty('label');
  });
});

it('is parsed from any text without throwing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const result = parseConfig(text);
      expect(result.ok).toBe(false);
    }),
    { numRuns: 500 },
  );
});

it('accepts any value of any key, or reports that key or one within it', () => {
  const key = fc.constantFrom(...Object.keys(valid));
  fc.assert(
    fc.property(key, fc.jsonValue(), (name, value) => {
      const result = parseConfig(changed([name], value));
      if (result.ok) return;
      const { refusal } = result;
      expect(refusal.key === name || refusal.key.startsWith(`${name}.`)).toBe(true);
      expect(describeRefusal(refusal)).toMatch(/^Configuration key '.*' (is|must) /);
    }),
    { numRuns: 400 },
  );
});
