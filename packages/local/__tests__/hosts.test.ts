import http from 'node:http';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { checkedConfig } from '@vestibule/contract/checkedConfig';
import { fillConfigBlock, fillPage, jsonForHtml } from '@vestibule/contract/page';
import { appHeaders } from '@vestibule/contract/pageHeaders';
import { hostOf, originOf, roleOf } from '../src/hosts.ts';
import { listen, type Listening, listenOnBoth, PortTakenError } from '../src/http/listen.ts';
import { startEnvironment } from '../src/localEnvironment.ts';
import { environmentConfig } from '../src/environmentConfig.ts';
import { parseConfig } from '@vestibule/contract/pageConfig';

describe('the name in the Host header', () => {
  test.each([
    ['payments.localhost:4000', 'start'],
    ['localhost:4000', 'start'],
    ['127.0.0.1:4000', 'start'],
    ['[::1]:4000', 'start'],
    ['login.payments.localhost:4000', 'app'],
    ['LOGIN.payments.localhost', 'app'],
    ['login.payments.localhost.:4000', 'app'],
    ['suppliers.payments.localhost:4000', 'suppliers'],
    ['go.payments.localhost:4000', 'shortLinks'],
    ['api.payments.localhost:4000', 'api'],
    ['ledger.payments.localhost:4000', 'ledger'],
    ['hub.payments.localhost:4000', 'hub'],
    ['outbox.payments.localhost:4000', 'outbox'],
    ['partner.localhost:4000', 'partner'],
    ['evil.localhost:4000', 'unlisted'],
  ])('%s selects %s', (host, role) => {
    expect(roleOf(host)).toBe(role);
  });

  test.each([
    ...[undefined, '', 'example.com', 'login.payments.localhost.example.com'],
    ...['payments.localhost@x', '10.0.0.1'],
  ])('%s is rejected, which prevents DNS rebinding', (host) => {
    expect(roleOf(host)).toBeNull();
  });

  test('omits the port where browsers omit it', () => {
    expect(hostOf('app', 4000)).toBe('login.payments.localhost:4000');
    expect(originOf('app', 80)).toBe('http://login.payments.localhost');
  });
});

describe('listen', () => {
  const open: { close: () => unknown }[] = [];
  const keep = <T extends { close: () => unknown }>(opened: T): T => {
    open.push(opened);
    return opened;
  };
  afterEach(async () => {
    for (const { close } of open.splice(0)) await close();
  });

  const anotherProgram = async (): Promise<Listening> => keep(await listen(http.createServer(), 0));

  /** A machine without IPv6 has only the first. */
  const loopbacks = (['127.0.0.1', '::1'] as const).filter((wanted) =>
    Object.values(networkInterfaces()).some((addresses) =>
      addresses?.some(({ address }) => address === wanted),
    ),
  );

  describe('a port in use', () => {
    test('is reported, with how to choose another', async () => {
      const { port } = await anotherProgram();
      const refused = listenOnBoth(() => http.createServer(), port);
      await expect(refused).rejects.toThrow(PortTakenError);
      await expect(refused).rejects.toThrow(
        `Port ${port} is taken by another program on this machine.\n` +
          `Stop that program, or choose another port, such as ${port + 10}.`,
      );
    });

    test('prevents the start before a database is opened', async () => {
      const { port } = await anotherProgram();
      await expect(
        startEnvironment({
          port,
          databaseUrl: 'postgres://127.0.0.1:1/would-fail-otherwise',
        }),
      ).rejects.toThrow(PortTakenError);
    });

    test.each(loopbacks)(
      'is detected on %s, where a browser might find that program first',
      async (address) => {
        const { port } = keep(await listen(http.createServer(), 0, address));
        await expect(listenOnBoth(() => http.createServer(), port)).rejects.toThrow(PortTakenError);
      },
    );
  });

  test('connections kept alive by browsers are closed at the end', async () => {
    const server = await listen(http.createServer(), 0);
    const socket = net.connect(server.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const ended = new Promise((resolve) => socket.once('close', resolve));
    await server.close();
    await expect(ended).resolves.toBe(false);
  });
});

const facts = {
  path: '/login',
  serviceOrigin: 'https://sso-api.example.com',
  parentOrigins: ['https://hub.example.com', 'https://app.example.com'],
};

const policyOf = (headers: Readonly<Record<string, string>>, directive: string): string | undefined =>
  headers['Content-Security-Policy']?.split('; ').find((part) => part.startsWith(`${directive} `));

describe('the headers of the application', () => {
  test('are exactly these on /login, over http', () => {
    expect(appHeaders(facts)).toStrictEqual({
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self' https://sso-api.example.com; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
        'frame-ancestors https://hub.example.com https://app.example.com; ' +
        "require-trusted-types-for 'script'; trusted-types webpack",
      'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
      'Cross-Origin-Resource-Policy': 'same-site',
      'Origin-Agent-Cluster': '?1',
      'Permissions-Policy':
        'accelerometer=(), autoplay=(), camera=(), clipboard-read=(), clipboard-write=(self), display-capture=(), ' +
        'geolocation=(), gyroscope=(), hid=(), identity-credentials-get=(), idle-detection=(), local-fonts=(), ' +
        'magnetometer=(), microphone=(), midi=(), otp-credentials=(self), payment=(), ' +
        'publickey-credentials-create=(), publickey-credentials-get=(), serial=(), storage-access=(self), ' +
        'usb=(), xr-spatial-tracking=()',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
  });

  test('add HSTS and upgrade http requests if the page is served over https', () => {
    const headers = appHeaders({ ...facts, https: true });
    expect(headers['Strict-Transport-Security']).toBe('max-age=63072000; includeSubDomains; preload');
    expect(headers['Content-Security-Policy']).toMatch(/; upgrade-insecure-requests$/);
  });

  test.each([
    ...['/oauth-redirect', '/unauthorized', '/secret-key/abc'],
    ...['/SECRET-key/abc', '//secret-key/abc', '/%73ecret-key/abc'],
  ])('forbid framing on %s', (path) => {
    const headers = appHeaders({ ...facts, path });
    expect(policyOf(headers, 'frame-ancestors')).toBe("frame-ancestors 'none'");
    expect(headers['X-Frame-Options']).toBe('DENY');
  });

  test.each(['/login', '/reset-password-verify', '/reset-password-manual', '/account-settings', '/%', '/'])(
    'let the listed parents frame %s',
    (path) => {
      const headers = appHeaders({ ...facts, path });
      expect(policyOf(headers, 'frame-ancestors')).toBe(
        'frame-ancestors https://hub.example.com https://app.example.com',
      );
      expect(headers).not.toHaveProperty('X-Frame-Options');
    },
  );

  test('forbid framing if no parent is listed, and on a short-link host', () => {
    const frames = "frame-ancestors 'none'";
    expect(policyOf(appHeaders({ ...facts, parentOrigins: [] }), 'frame-ancestors')).toBe(frames);
    expect(policyOf(appHeaders({ ...facts, path: '/x', shortLinkHost: true }), 'frame-ancestors')).toBe(
      frames,
    );
  });

  const reported = { ...facts, reportsTo: 'https://reports.example.com/in' };

  test('have violations and crashes reported where the deployment names an address', () => {
    const headers = appHeaders(reported);
    expect(headers['Reporting-Endpoints']).toBe('default="https://reports.example.com/in"');
    expect(policyOf(headers, 'report-to')).toBe('report-to default');
    expect(policyOf(headers, 'report-uri')).toBe('report-uri https://reports.example.com/in');
  });

  test.each([
    ...['/reset-password/abc', '/oauth-redirect', '/reset', '/RESET/', '/%72eset'],
    ...['/verification/u-1/', '/login?code=1'],
  ])('have nothing reported of %s, whose address holds a secret or an account', (address) => {
    const [path = '', query] = address.split('?');
    const headers = appHeaders({ ...reported, path, hasQuery: query !== undefined });
    expect(headers).not.toHaveProperty('Reporting-Endpoints');
    expect(headers['Content-Security-Policy']).not.toContain('report-');
  });

  test.each(['/login', '/reset-password/abc'])(
    'let the page of %s call one more path than without reports',
    (path) => {
      const [before, after] = [
        { ...facts, path },
        { ...reported, path, reportsTo: 'https://reports.example.com/in?k=1' },
      ].map((one) => policyOf(appHeaders(one), 'connect-src'));
      expect(after).toBe(`${before} https://reports.example.com/in`);
    },
  );

  test('let the page use passkeys where they are offered, and no frame within it', () => {
    const headers = appHeaders({
      ...facts,
      permissions: ['publickey-credentials-create', 'publickey-credentials-get'],
    });
    expect(headers['Permissions-Policy']).toContain(
      'publickey-credentials-create=(self), publickey-credentials-get=(self)',
    );
  });

  test("let the page, and no frame within it, show payments in the browser's window where they are confirmed", () => {
    expect(appHeaders({ ...facts, permissions: ['payment'] })['Permissions-Policy']).toContain(
      ' payment=(self), ',
    );
  });

  test('keep no opener on a short-link host, where every path redirects', () => {
    const headers = appHeaders({ ...facts, path: '/oauth-redirect', shortLinkHost: true });
    expect(headers['Cross-Origin-Opener-Policy']).toBe('same-origin-allow-popups');
  });

  test('allow the hot-reload socket and its policy in development only', () => {
    const headers = appHeaders({ ...facts, hotReloadOrigin: 'http://login.payments.localhost:4000' });
    expect(policyOf(headers, 'connect-src')).toBe(
      "connect-src 'self' https://sso-api.example.com http://login.payments.localhost:4000 ws://login.payments.localhost:4000",
    );
    expect(policyOf(headers, 'trusted-types')).toBe('trusted-types webpack webpack-dev-server#overlay');
    expect(policyOf(headers, 'script-src')).toBe("script-src 'self'");
  });

  test('allow frames of its own, for the laboratory, in development only', () => {
    const headers = appHeaders({ ...facts, hotReloadOrigin: 'http://login.payments.localhost:4000' });
    expect(policyOf(headers, 'frame-src')).toBe("frame-src 'self'");
    expect(policyOf(headers, 'frame-ancestors')).toContain(" 'self'");
    expect(policyOf(appHeaders(facts), 'frame-src')).toBeUndefined();
    expect(policyOf(appHeaders(facts), 'frame-ancestors')).not.toContain('self');
  });
});

const page = (block: string): string => `<!doctype html><head>${block}<script src="/a.js"></script></head>`;
const empty = '<script type="application/json" id="app-config">{}</script>';

function blockOf(filled: string): string {
  return /id="app-config">([\s\S]*?)<\/script>/.exec(filled)?.[1] ?? '';
}

describe('the languages of the page', () => {
  const root = '<main>Welcome</main><script>1</script><script>2</script></body></html>';
  const built = {
    script: 'choose()',
    path: '/*.json',
    texts: { de: ['Anmelden', 'Willkommen'], ar: ['<', 'مرحبًا'], es: ['Entrar', 'Hola'] },
  };
  const filled = (languages?: readonly string[]) =>
    fillPage(page(empty) + root, environmentConfig(4000, languages && { languages }), built);

  test('are those of the configuration, each with its direction, and their script replaces the last one', () => {
    const { identity, inline } = filled(['en', 'de', 'ar']);
    expect(identity.toString()).toContain(
      '<script>1</script><script type="application/json" id="languages">' +
        '["/*.json","","|Anmelden|Willkommen","rtl|\\u003c|مرحبًا"]</script><script>choose()</script></body></html>',
    );
    expect(inline.scripts).toHaveLength(2);
  });

  test('are data before the end in development, where the build has no script', () => {
    const { identity } = fillPage(page(empty) + root, environmentConfig(4000, { languages: ['de'] }), {
      ...built,
      script: '',
    });
    expect(identity.toString()).toContain(
      '<script>2</script><script type="application/json" id="languages">["/*.json","|Anmelden|Willkommen"]</script></body>',
    );
  });

  test('leave the page as it is where there is only English', () => {
    for (const languages of [undefined, [], ['en']]) {
      expect(filled(languages).identity.toString()).not.toContain('id="languages"');
      expect(filled(languages).inline.scripts).toHaveLength(2);
    }
  });

  test('are refused by name where the build lacks one', () => {
    expect(() => filled(['en', 'sv'])).toThrow(
      "Configuration key 'languages' lists 'sv', but this build contains only: en, de, ar, es. See docs/behaviour.md#languages.",
    );
    expect(() => fillPage(page(empty) + root, environmentConfig(4000, { languages: ['de'] }))).toThrow(
      "'de'",
    );
  });
});

describe('the configuration block of the page', () => {
  test('has exactly the keys of the table, and the application accepts them', () => {
    const written = blockOf(fillConfigBlock(page(empty), environmentConfig(4000)));
    expect(Object.keys(environmentConfig(4000))).toStrictEqual([
      ...['environment', 'signOnUrl', 'serviceUrl', 'cookies', 'refreshGraceSeconds', 'redirectHosts'],
      ...['parentOrigins', 'shortLinkHosts', 'supplierHosts', 'links', 'google', 'microsoft', 'brands'],
      ...['oneTimeLinks', 'extensions', 'passkeys', 'devTools'],
    ]);
    expect(JSON.parse(written)).toStrictEqual(environmentConfig(4000));
    expect(parseConfig(written)).toMatchObject({ ok: true });
  });

  test('cannot close its own element: any value round-trips without a single <', () => {
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

  test('replaces the existing content, in any quotes, and leaves the rest of the page unchanged', () => {
    expect(
      fillConfigBlock(page('<script id=app-config type=application/json>{"old":1}</script>'), { a: 1 }),
    ).toBe(page('<script id=app-config type=application/json>{"a":1}</script>'));
  });

  test('is marked as checked if it is valid, with its defaults, until somebody edits it', () => {
    const { extensions: _, ...given } = environmentConfig(4000);
    const marked = fillConfigBlock(page(empty), given);
    const mark = / data-checked="([^"]+)"/.exec(marked)?.[1];
    expect(checkedConfig(blockOf(marked), mark, '/a.js')).toEqual({ ...given, extensions: [] });
    expect(checkedConfig(blockOf(marked), mark, '/b.js')).toBeNull();
    expect(checkedConfig(blockOf(marked).replace('"prefix"', '"prefiks"'), mark, '/a.js')).toBeNull();
    expect(checkedConfig(blockOf(marked), undefined, '/a.js')).toBeNull();
    expect(fillConfigBlock(marked, {})).toBe(page(empty));
  });

  test('is required in the page, exactly once', () => {
    expect(() => fillConfigBlock(page(''), {})).toThrow('index.html has 0 elements with id="app-config"');
    expect(() => fillConfigBlock(page(empty + empty), {})).toThrow('has 2 elements');
  });
});
