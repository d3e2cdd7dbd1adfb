import { allowRedirect, type RedirectRules } from '@features/session/redirect/redirectAllowlist';
import fc from 'fast-check';
import { URL as NodeUrl } from 'node:url';
import { examples } from '@vestibule/contract/testing/examples';
import { anyCharacter } from '@vestibule/contract/testing/anyCharacter';

/** For each of two deployments: 10^5 in all. */
const runs = examples(50_000);

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
  redirectHosts: ['*.example.com', 'partner.test:8443'],
});

/** The list, implemented a second time in another way: the hosts that may be reached. */
const reachable = {
  http: /^https?:\/\/(?:login\.payments\.localhost|ledger\.payments\.localhost|[^/@?#\s]+\.apps\.localhost):4000$/,
  https: /^https:\/\/(?:login\.example\.com|[^/@?#\s:]+\.example\.com|partner\.test:8443)$/,
} as const;

/** One of these texts, which are separated by spaces, or nothing. */
const oneOf = (texts: string, ...others: readonly string[]) =>
  fc.constantFrom(...texts.trim().split(/\s+/), ...others);
const schemes = oneOf(
  `http:// https:// HTTP:// https: https:/ https:/// http:\\\\ // \\\\ /\\ /
   javascript: javascript:// data:text/html, blob:http:// ftp:// ws://`,
  ...['', 'ht\ttps://', '\u0001http://'],
);
const hosts = oneOf(
  `login.payments.localhost ledger.payments.localhost hub.apps.localhost apps.localhost evilapps.localhost
   ledger.payments.localhost.evil.test evil.test ledger.payments.localhost. login.example.com a.example.com example.com
   evilexample.com partner.test xn--ldger-8of.test [::1] 127.0.0.1 2130706433 0x7f.1 lеdger.payments.localhost %65vil.test
   evil.test%2f ledger。payments．localhost hub.apps｡localhost .apps.localhost ..`,
  '',
);
const joints = oneOf(
  '@ :x@ %40 ＠ . 。 ／ ℀ \\ / ? # %2f %5c %00 : ; , & ` | ^ < [ ]',
  ...['', '', ' ', '\t', '\n', '\u0000', '\u00ad', '\u200b', '\u2028', '\ud800'],
);
const ports = oneOf(':4000 :4001 :443 :80 :8443 :04000 : :99999 :4000@evil.test', '');
const tails = fc.oneof(
  oneOf('/ /books //evil.test /\\evil.test /..//evil.test ?url=//evil.test #@evil.test', ''),
  fc.string({ maxLength: 12, unit: anyCharacter }),
);
const noise = fc.string({ maxLength: 4, unit: anyCharacter });

const composed = fc
  .tuple(noise, schemes, hosts, joints, hosts, ports, joints, tails)
  .map(([before, scheme, host, joint, other, port, second, tail]) =>
    // Noise and joints are often empty, so that many addresses are close to the list.
    [
      before.length > 2 ? before : '',
      scheme,
      host,
      joint,
      joint === '' ? '' : other,
      port,
      second,
      tail,
    ].join(''),
  );
const mutated = fc
  .tuple(
    fc.constantFrom(
      'http://ledger.payments.localhost:4000/books',
      'http://hub.apps.localhost:4000/',
      'https://a.example.com/',
      '/account-settings',
    ),
    fc.nat(),
    fc.oneof(joints, noise),
    fc.nat(2),
  )
  .map(([address, at, piece, drop]) => {
    const position = at % (address.length + 1);
    return address.slice(0, position) + piece + address.slice(position + drop);
  });
const targets = fc.oneof(
  { weight: 5, arbitrary: composed },
  { weight: 4, arbitrary: mutated },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.webUrl() },
);

/** Parses an address as the address bar does; with Node's parser, while the code under test uses jsdom's. */
const asBrowserReadsIt = (target: string, rules: RedirectRules): NodeUrl | null =>
  NodeUrl.canParse(target, rules.config.signOnUrl) ? new NodeUrl(target, rules.config.signOnUrl) : null;

/** What is wrong with a result; `null` when nothing is. A text, because `expect` is slow at 10^5 runs. */
function faultOf(target: string, answer: string, rules: RedirectRules, list: RegExp): string | null {
  const gone = asBrowserReadsIt(answer, rules);
  // The two parsers use different versions of Unicode: an address that this one rejects opens nothing.
  if (!gone) return null;
  if (!list.test(`${gone.protocol}//${gone.host}`)) return 'off the list, to a parser';
  if (!list.test(/^[^/]*\/\/[^/?#]*/.exec(answer)?.[0] ?? '')) return 'off the list, to a reader';
  if (gone.username !== '' || gone.password !== '') return 'user information';
  if (gone.href !== answer || allowRedirect(answer, rules) !== answer)
    return 'reads differently a second time';
  const directly = asBrowserReadsIt(target, rules);
  if (directly && directly.origin !== gone.origin) return 'the input itself leads elsewhere';
  return null;
}

describe.each([
  ['http', overHttp, reachable.http],
  ['https', overHttps, reachable.https],
] as const)('the redirect allowlist of a login host on %s, for any address', (_scheme, rules, list) => {
  it('never accepts a host that is not listed, and never opens another address than the checked one', () => {
    let passed = 0;
    fc.assert(
      fc.property(targets, (target) => {
        const answer = allowRedirect(target, rules);
        if (answer === null) return;
        passed += 1;
        const fault = faultOf(target, answer, rules, list);
        if (fault !== null) throw new Error(`${fault}: ${answer}`);
      }),
      { numRuns: runs },
    );
    // A function that rejects everything would pass too.
    expect(passed).toBeGreaterThan(runs / 100);
  }, 120_000);
});
