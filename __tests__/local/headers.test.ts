/** @jest-environment node */
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
        "connect-src https://sso-api.example.com; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
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

  test('leave the pop-up its opener on /oauth-redirect only', () => {
    expect(appHeaders({ ...facts, path: '/oauth-redirect' })['Cross-Origin-Opener-Policy']).toBe(
      'unsafe-none',
    );
    expect(appHeaders({ ...facts, path: '/oauth-redirected' })['Cross-Origin-Opener-Policy']).toBe(
      'same-origin-allow-popups',
    );
  });

  test('allow the hot-reload socket and its policy in development only', () => {
    const headers = appHeaders({ ...facts, hotReloadOrigin: 'http://login.payments.localhost:4000' });
    expect(policyOf(headers, 'connect-src')).toBe(
      'connect-src https://sso-api.example.com http://login.payments.localhost:4000 ws://login.payments.localhost:4000',
    );
    expect(policyOf(headers, 'trusted-types')).toBe('trusted-types webpack webpack-dev-server#overlay');
    expect(policyOf(headers, 'script-src')).toBe("script-src 'self'");
  });
});
