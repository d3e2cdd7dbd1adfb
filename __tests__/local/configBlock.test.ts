/** @jest-environment node */
import fc from 'fast-check';
import { fillConfigBlock, jsonForHtml } from '../../local/app/configBlock';
import { worldConfig } from '../../local/worldConfig';
import { parseConfig } from '../../src/app/config/config';

const page = (block: string): string => `<!doctype html><head>${block}<script src="/a.js"></script></head>`;
const empty = '<script type="application/json" id="app-config">{}</script>';

function blockOf(filled: string): string {
  return /id="app-config">([\s\S]*?)<\/script>/.exec(filled)?.[1] ?? '';
}

describe('the configuration block of the page', () => {
  test('holds exactly the keys of the table, and the application accepts them', () => {
    const written = blockOf(fillConfigBlock(page(empty), worldConfig(4000)));
    expect(Object.keys(worldConfig(4000))).toStrictEqual([
      'environment',
      'signOnUrl',
      'serviceUrl',
      'cookies',
      'refreshGraceSeconds',
      'redirectHosts',
      'parentOrigins',
      'shortLinkHosts',
      'supplierHosts',
      'links',
      'google',
      'microsoft',
      'brands',
      'oneTimeLinks',
      'extensions',
      'devTools',
    ]);
    expect(JSON.parse(written)).toStrictEqual(worldConfig(4000));
    expect(parseConfig(written)).toMatchObject({ ok: true });
  });

  test('follows the port of the world', () => {
    expect(worldConfig(4010)).toMatchObject({
      signOnUrl: 'http://login.payments.localhost:4010',
      redirectHosts: ['*.payments.localhost:4010'],
      cookies: { prefix: 'payments-local', domain: 'payments.localhost', sameSite: 'Lax' },
      devTools: false,
    });
    expect(worldConfig(80).signOnUrl).toBe('http://login.payments.localhost');
  });

  test('cannot end its own element: any value comes back as it went in, without a single <', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const written = jsonForHtml(value);
        expect(written).not.toMatch(/[<\u2028\u2029]/);
        expect(JSON.parse(written)).toStrictEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    const filled = fillConfigBlock(page(empty), { label: '</script><script>alert(1)</script> $& $1' });
    expect(JSON.parse(blockOf(filled))).toStrictEqual({ label: '</script><script>alert(1)</script> $& $1' });
    expect(filled.match(/<\/script>/g)).toHaveLength(2);
  });

  test('replaces whatever stood in it, in whatever quotes, and leaves the rest of the page alone', () => {
    expect(
      fillConfigBlock(page('<script id=app-config type=application/json>{"old":1}</script>'), { a: 1 }),
    ).toBe(page('<script id=app-config type=application/json>{"a":1}</script>'));
  });

  test('is missed when the page has none, and refused when it has two', () => {
    expect(() => fillConfigBlock(page(''), {})).toThrow('index.html holds 0 elements with id="app-config"');
    expect(() => fillConfigBlock(page(empty + empty), {})).toThrow('holds 2 elements');
  });
});
