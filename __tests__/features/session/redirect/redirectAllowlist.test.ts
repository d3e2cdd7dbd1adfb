/** @jest-environment node */
import {
  allowConfigured,
  allowRedirect,
  type RedirectRules,
} from '@features/session/redirect/redirectAllowlist';

const rulesOf = (config: Omit<RedirectRules['config'], 'serviceUrl'>): RedirectRules => ({
  config: { serviceUrl: 'https://api.test', ...config },
  features: [],
});
const overHttp = rulesOf({
  signOnUrl: 'http://login.payments.localhost:4000',
  redirectHosts: ['*.apps.localhost:4000', 'ledger.payments.localhost:4000'],
});
const overHttps = rulesOf({
  signOnUrl: 'https://login.example.com',
  redirectHosts: ['*.example.com', 'partner.test:8443', 'EXACT.test'],
});

describe('an accepted redirect', () => {
  it.each([
    ['/account-settings', 'http://login.payments.localhost:4000/account-settings'],
    ['/', 'http://login.payments.localhost:4000/'],
    ['/a/../b?x=http://evil.test', 'http://login.payments.localhost:4000/b?x=http://evil.test'],
    ['/@evil.test', 'http://login.payments.localhost:4000/@evil.test'],
    ['/.//evil.test', 'http://login.payments.localhost:4000//evil.test'],
    ['HTTP://LEDGER.Payments.LOCALHOST:4000/', 'http://ledger.payments.localhost:4000/'],
    ['http://ledger%2Epayments.localhost:4000/', 'http://ledger.payments.localhost:4000/'],
    ['http://ledger。payments．localhost:4000/', 'http://ledger.payments.localhost:4000/'],
    ['http://led\u00ADger.payments.localhost:4000/', 'http://ledger.payments.localhost:4000/'],
    ['http://ledger.payments.localhost:04000/', 'http://ledger.payments.localhost:4000/'],
  ])('%j is serialised, and a path is one of the login host', (target, address) => {
    expect(allowRedirect(target, overHttp)).toBe(address);
  });

  it.each([
    ['the login host itself', 'http://login.payments.localhost:4000/account-settings'],
    ['a host named exactly', 'http://ledger.payments.localhost:4000/books?year=2026#june'],
    ['a host below a listed parent', 'http://hub.apps.localhost:4000/'],
    ['a host two levels below a listed parent', 'http://eu.hub.apps.localhost:4000/'],
    ['https although the login host is http', 'https://ledger.payments.localhost:4000/'],
  ])('leads to %s, unchanged', (_name, target) => {
    expect(allowRedirect(target, overHttp)).toBe(target);
  });

  it('ignores a default port, treats a listed port as part of the host, and host names as case-insensitive', () => {
    expect(allowRedirect('https://app.example.com:443/', overHttps)).toBe('https://app.example.com/');
    expect(allowRedirect('https://partner.test:8443/', overHttps)).toBe('https://partner.test:8443/');
    expect(allowRedirect('https://exact.test/', overHttps)).toBe('https://exact.test/');
  });
});

describe('a rejected redirect, which counts as not given', () => {
  it.each<[string, string | null | undefined, RedirectRules?]>([
    ['nothing', null],
    ['no value', undefined],
    ['an empty text', ''],
    ['another host', 'http://evil.test/'],
    ['a scheme-relative address', '//evil.test/'],
    ['a scheme-relative address of an allowed host', '//ledger.payments.localhost:4000/'],
    ['three slashes', '///evil.test'],
    ['two back-slashes', '\\\\evil.test'],
    ['a slash and a back-slash', '/\\evil.test'],
    ['a back-slash and a slash', '\\/evil.test'],
    ['a back-slash that ends the host early', 'http://evil.test\\@ledger.payments.localhost:4000/'],
    ['a back-slash in a path', '/account\\settings'],
    ['no slashes after the scheme', 'https:evil.test'],
    ['no slashes after the scheme of the login page', 'http:evil.test'],
    ['no slashes before an allowed host', 'http:ledger.payments.localhost:4000'],
    ['one slash after the scheme', 'http:/evil.test'],
    ['three slashes after the scheme', 'https:///evil.test'],
    ['three slashes before an allowed host', 'http:///ledger.payments.localhost:4000'],
    ['javascript:', 'javascript:alert(1)'],
    ['javascript: disguised as an address', 'javascript://ledger.payments.localhost:4000/%0aalert(1)'],
    ['javascript: in another case', 'JaVaScRiPt:alert(1)'],
    ['data:', 'data:text/html,<script>alert(1)</script>'],
    ['vbscript:', 'vbscript:msgbox(1)'],
    ['blob:', 'blob:http://ledger.payments.localhost:4000/1'],
    ['file:', 'file:///etc/hosts'],
    ['ftp on an allowed host', 'ftp://ledger.payments.localhost:4000/'],
    ['ws on an allowed host', 'ws://ledger.payments.localhost:4000/'],
    ['view-source:', 'view-source:http://ledger.payments.localhost:4000/'],
    ['user information naming an allowed host', 'http://ledger.payments.localhost:4000@evil.test/'],
    ['user information on an allowed host', 'http://ada@ledger.payments.localhost:4000/'],
    ['user and password on an allowed host', 'http://ada:x@ledger.payments.localhost:4000/'],
    ['an empty user', 'http://@ledger.payments.localhost:4000/'],
    ['user information behind an escaped at-sign', 'http://ledger.payments.localhost:4000%40evil.test/'],
    ['a fullwidth at-sign', 'http://ledger.payments.localhost:4000＠evil.test/'],
    ['an allowed host as a prefix', 'http://ledger.payments.localhost.evil.test:4000/'],
    ['an allowed host as a suffix without a dot', 'http://evilledger.payments.localhost:4000/'],
    ['a parent of which only subdomains are listed', 'http://apps.localhost:4000/'],
    ['a host with the same ending as the parent', 'http://evilapps.localhost:4000/'],
    ['an empty label below the parent', 'http://.apps.localhost:4000/'],
    ['a listed parent as a path', 'http://evil.test/.apps.localhost:4000'],
    ['a listed parent as a query', 'http://evil.test?.apps.localhost:4000'],
    ['a listed parent as a fragment', 'http://evil.test#.apps.localhost:4000'],
    ['a trailing dot', 'http://ledger.payments.localhost.:4000/'],
    ['another port', 'http://ledger.payments.localhost:4001/'],
    ['no port where one is listed', 'http://ledger.payments.localhost/'],
    ['the login host on another port', 'http://login.payments.localhost/'],
    ['an invalid port', 'http://ledger.payments.localhost:99999/'],
    ['a Cyrillic look-alike', 'http://lеdger.payments.localhost:4000/'],
    ['the same in punycode', 'http://xn--ldger-8of.payments.localhost:4000/'],
    ['fullwidth dots that make another host', 'http://evil．test/.apps.localhost:4000/'],
    ['an ideographic dot before another host', 'http://ledger.payments.localhost。evil.test:4000/'],
    ['percent-encoded letters of another host', 'http://%65vil.test/'],
    ['a percent-encoded slash in the host', 'http://evil.test%2F.apps.localhost:4000/'],
    ['a percent-encoded question mark in the host', 'http://evil.test%3F.apps.localhost:4000/'],
    ['a percent-encoded number sign in the host', 'http://evil.test%23.apps.localhost:4000/'],
    ['a fullwidth slash in the host', 'http://evil.test／.apps.localhost:4000/'],
    ['a fraction that normalises to a slash', 'http://evil.test℀.apps.localhost:4000/'],
    ['an IPv6 address', 'http://[::1]:4000/'],
    ['an IPv4 address', 'http://127.0.0.1:4000/'],
    ['an IPv4 address as one number', 'http://2130706433:4000/'],
    ['a leading space', ' http://ledger.payments.localhost:4000/'],
    ['a space in the host', 'http://ledger.payments.localhost :4000/'],
    ['a bare word', 'account-settings'],
    ['a relative path', './account-settings'],
    ['a query alone', '?url=x'],
    ['the parent of a wildcard', 'https://example.com/', overHttps],
    ['a name with the same ending as the parent', 'https://evilexample.com/', overHttps],
    ['a port that is not listed', 'https://app.example.com:8443/', overHttps],
    ['a listed host without its port', 'https://partner.test/', overHttps],
  ])('%s', (_name, target, rules = overHttp) => {
    expect(allowRedirect(target, rules)).toBeNull();
  });

  const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, offset) => 0x7f + offset)];

  it.each(controls.map((code) => [code.toString(16).padStart(2, '0'), String.fromCharCode(code)]))(
    'control character U+00%s at the start, at the end and inside',
    (_code, control) => {
      const allowed = 'http://ledger.payments.localhost:4000/books';
      const refused = [
        control + allowed,
        allowed + control,
        allowed.replace('://', `:${control}//`),
        allowed.replace('http', `ht${control}tp`),
        allowed.replace('ledger', `led${control}ger`),
        allowed.replace('books', `bo${control}oks`),
        `/${control}/evil.test`,
        `/books${control}`,
      ];
      for (const target of refused) expect(allowRedirect(target, overHttp)).toBeNull();
    },
  );

  it.each([
    ['an allowed host', 'http://app.example.com/'],
    ['the login host', 'http://login.example.com/'],
    ['a host listed with its port', 'http://partner.test:8443/'],
  ])('http, where the login host is https: %s', (_name, target) => {
    expect(allowRedirect(target, overHttps)).toBeNull();
    expect(allowRedirect(target.replace('http:', 'https:'), overHttps)).not.toBeNull();
  });
});

describe('an address from the configuration', () => {
  it('may lead to any http or https host', () => {
    expect(allowConfigured('https://www.marketing.test')).toBe('https://www.marketing.test/');
    expect(allowConfigured('http://suppliers.test:81/home')).toBe('http://suppliers.test:81/home');
  });

  it.each(['javascript:alert(1)', 'mailto:a@b.test', '/relative', 'none', ''])('is not %j', (target) => {
    expect(allowConfigured(target)).toBeNull();
  });
});
