/** @jest-environment node */
import { matchRoute } from '@app/routes';
import { appHeaders } from '../../local/app/headers';

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
        'publickey-credentials-create=(), publickey-credentials-get=(), serial=(), usb=(), xr-spatial-tracking=()',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
  });

  test('add HSTS and upgrade http requests where the page is served over https', () => {
    const headers = appHeaders({ ...facts, https: true });
    expect(headers['Strict-Transport-Security']).toBe('max-age=63072000; includeSubDomains; preload');
    expect(headers['Content-Security-Policy']).toMatch(/; upgrade-insecure-requests$/);
  });

  test.each([
    '/oauth-redirect',
    '/secret-key/abc',
    '/reset-password/abc',
    '/activate/abc',
    '/redirect/abc',
    '/unauthorized',
    '/SECRET-key/abc',
    '//secret-key/abc',
    '/%73ecret-key/abc',
  ])('forbid every frame on %s', (path) => {
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

  test('forbid every frame when no parent is listed, and on a short-link host', () => {
    const frames = "frame-ancestors 'none'";
    expect(policyOf(appHeaders({ ...facts, parentOrigins: [] }), 'frame-ancestors')).toBe(frames);
    expect(policyOf(appHeaders({ ...facts, path: '/x', shortLinkHost: true }), 'frame-ancestors')).toBe(
      frames,
    );
  });

  // Two rules on two sides: elsewhere the router leads to /login, whose window no strange opener may keep hold of.
  test.each([
    ...['/oauth-redirect', '/oauth-redirect/', '/oauth-redirect//', '/oauth-redirect/x', '//oauth-redirect'],
    ...['/OAUTH-REDIRECT', '/Oauth-Redirect', '/%6fauth-redirect', '/oauth%2Dredirect', '/oauth-redirect%2f'],
    ...[
      '/oauth-redirect;x',
      '/oauth-redirect%20',
      '/oauth-redirect.',
      '/x/oauth-redirect',
      '/oauth-redirect%',
    ],
    ...['/oauth-redirected', '/oauth_redirect', '/o\u0430uth-redirect', '/oauth-redirect/login'],
    ...['/login', '/', '', '/%', '/index.html'],
  ])('leave a window its opener where the router has the return point, and nowhere else: %j', (path) => {
    const isReturnPoint = path === '/oauth-redirect';
    expect(matchRoute(path)?.name === 'oauthRedirect').toBe(isReturnPoint);
    expect(appHeaders({ ...facts, path })['Cross-Origin-Opener-Policy']).toBe(
      isReturnPoint ? 'unsafe-none' : 'same-origin-allow-popups',
    );
  });

  test('leave no window its opener on a short-link host, where every path leads away', () => {
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
});
