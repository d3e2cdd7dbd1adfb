import { extensions, featuresOf } from '@app/features';
import { findRoute, routes } from '@app/routes';
import { paths } from '@vestibule/contract/paths';
import { maskLocation } from '@app/maskLocation';
import { mask } from '@shared/routing/location.slice';
import { appHeaders } from '@vestibule/contract/pageHeaders';
import fc from 'fast-check';

const builtPaths: Readonly<Record<string, string>> = {
  ...{ login: paths.login(), twoAuth: paths.twoAuth(), oauthRedirect: paths.oauthRedirect() },
  ...{ magicLink: paths.magicLink('1'), secretKey: paths.secretKey('1'), unauthorized: paths.unauthorized() },
  ...{
    forgotPassword: paths.forgotPassword(),
    resetPassword: paths.resetPassword('a/b ?'),
    reset: paths.reset(),
  },
  activate: paths.activate('1'),
  ...{ changeVerify: paths.changeVerify(), changePassword: paths.changePassword() },
  ...{ accountSettings: paths.accountSettings(), mfaOptions: paths.mfaOptions() },
  askPassword: paths.askPassword('enable'),
  ...{ phoneEnrolment: paths.phoneEnrolment('u/1 ?'), appEnrolment: paths.appEnrolment('u_1') },
  enrolmentCode: paths.enrolmentCode('u_1').replace(/\/$/, ''),
  mfaActivated: '/mfa-activated',
};

/** A path of the route; the routes of extensions are written in their features only. */
const pathOf = (name: string): string =>
  builtPaths[name] ?? ofExtensions[name]?.pattern.replace(/:\w+/g, '1') ?? '';
const ofExtensions = Object.assign({}, ...extensions.map((one) => one.routes)) as Partial<typeof routes>;

it.each(Object.entries(routes))('the screen module of %s can be loaded', async (_name, route) => {
  const screenModule = 'screen' in route ? route.screen : await route.chunk.load();
  expect(screenModule.Screen).toBeDefined();
});

describe('the route of a path', () => {
  it.each(Object.keys(routes))('%s is found under its path, also with a slash', (name) => {
    const path = pathOf(name);
    expect(findRoute(path)?.name).toBe(name);
    // The return point has one spelling (headers.test.ts).
    expect(findRoute(`${path}/`)?.name).toBe(name === 'oauthRedirect' ? undefined : name);
  });

  it.each([
    ...['/', '', '/log', '/login/more', '//login', '/LOGIN', '/lo%67in', '/account-settings/../login'],
    '/__proto__',
  ])('%j has no route', (path) => {
    expect(findRoute(path)).toBeNull();
  });
});

it('a route of an extension is any other path without the extension', () => {
  for (const { name: extension, routes: own = {} } of extensions)
    for (const name of Object.keys(own)) {
      expect(findRoute(pathOf(name), featuresOf({ extensions: [extension] }))?.name).toBe(name);
      expect(findRoute(pathOf(name), featuresOf({ extensions: [] }))).toBeNull();
    }
});

describe('an address with a parameter', () => {
  const link = { isLink: true, isFramed: false, isReported: false };
  const facts: Readonly<Record<string, object>> = {
    ...{ hash: link, magiclinkId: link, id: link },
    uid: { isLink: false, isFramed: true, isReported: false },
    authystatus: { isLink: false, isFramed: true, isReported: true },
    // Of no use to anybody but its user.
    confirmation: { isLink: false, isFramed: true, isReported: true },
  };
  const found = Object.entries(routes).flatMap(([name, { pattern }]) =>
    [...pattern.matchAll(/:(\w+)/g)].map(([, parameter = '']) => {
      return { name, pattern, parameter };
    }),
  );

  it.each(found)(
    '$pattern is framed and reported only as far as its parameter allows',
    ({ name, parameter }) => {
      const headers = appHeaders({
        path: pathOf(name),
        serviceOrigin: 'https://api.example.com',
        parentOrigins: ['https://hub.example.com'],
        reportsTo: 'https://reports.example.com',
      });
      expect({
        isLink: routes[name]?.isLink === true,
        isFramed: !('X-Frame-Options' in headers),
        isReported: 'Reporting-Endpoints' in headers,
      }).toEqual(facts[parameter]);
    },
  );
});

describe('a route with a parameter', () => {
  it.each([
    ['/activate/abc', { hash: 'abc' }],
    ['/activate/abc/', { hash: 'abc' }],
    ['/activate/a%2Fb%20c%252F', { hash: 'a/b%20c%252F' }],
    ['/activate/..', { hash: '..' }],
    ['/activate', undefined],
    ['/activate/', undefined],
    ['/activate/a/b', undefined],
    ['/activated/abc', undefined],
    ['/Activate/abc', undefined],
  ])('has %s as %j, percent-encoded except for slashes', (path, params) => {
    expect(findRoute(path)?.params).toEqual(params);
  });
});

const at = (address: string) => {
  const [pathname = '', search] = address.split('?');
  return maskLocation({ pathname, search: search === undefined ? '' : `?${search}` });
};

describe('an address as the store may hold it', () => {
  it.each([
    '/login?url=https%3A%2F%2Fledger.test%2F&supplierHub',
    '/account-settings',
    '/',
    '/login?a=%zz&b=+',
  ])('is unchanged without a secret: %s', (address) => {
    const { pathname, search, secrets } = at(address);
    expect(pathname + search).toBe(address);
    expect(secrets).toEqual({});
  });

  it.each([
    ['/reset-password/s3cret', '/reset-password/***', { hash: 's3cret' }],
    ['/activate/s3cret/', '/activate/***', { hash: 's3cret' }],
    ['/secret-key/s3cret', '/secret-key/***', { hash: 's3cret' }],
    ['/activate/s3cret/too/deep', '/activate/***', { hash: 's3cret/too/deep' }],
    ['/redirect/s3cret', '/redirect/***', { magiclinkId: 's3cret' }],
    [
      '/oauth-redirect?code=s3cret&state=st4te',
      '/oauth-redirect?code=***&state=***',
      { code: 's3cret', state: 'st4te' },
    ],
    ['/reset?hash=s3cret', '/reset?hash=***', { hash: 's3cret' }],
    ['/login?code=s3cret&url=%2Fx', '/login?code=***&url=%2Fx', { code: 's3cret' }],
    ['/login?x=1&c%6Fde=s3cret', '/login?x=1&code=***', { code: 's3cret' }],
    ['/login?code=s3cret&code=s3cond', '/login?code=***', { code: 's3cret' }],
    ['/login?code=', '/login?code=***', { code: '' }],
  ])('%s becomes %s', (address, masked, secrets) => {
    const location = at(address);
    expect(decodeURIComponent(location.pathname + location.search)).toBe(decodeURIComponent(masked));
    expect(location.secrets).toEqual(secrets);
  });

  it('is the same when masked again: the mask matches the route of what it replaces', () => {
    const once = at('/activate/s3cret');
    expect(once.pathname).toBe(`/activate/${mask}`);
    expect(at(once.pathname).pathname).toBe(once.pathname);
  });

  it('never contains a secret, at any position of the query', () => {
    const names = fc.constantFrom('code', 'state', 'hash', 'id_token', 'session_state');
    const others = fc.array(
      fc.tuple(fc.constantFrom('url', 'supplierHub', 'application'), fc.webQueryParameters()),
    );
    fc.assert(
      fc.property(names, others, fc.nat(3), (name, pairs, position) => {
        const query = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
        query.splice(position, 0, `${name}=s3cret-marker`);
        const { search, secrets } = at(`/login?${query.join('&')}`);
        expect(search).not.toContain('s3cret-marker');
        expect(secrets[name]).toBe('s3cret-marker');
      }),
    );
  });
});

// Two rules on two sides: elsewhere the router leads to /login, whose window no other site may keep a reference to.
it.each([
  ...['/oauth-redirect', '/oauth-redirect/', '/oauth-redirect//', '/oauth-redirect/x', '//oauth-redirect'],
  ...['/OAUTH-REDIRECT', '/Oauth-Redirect', '/%6fauth-redirect', '/oauth%2Dredirect', '/oauth-redirect%2f'],
  ...['/oauth-redirect;x', '/oauth-redirect%20', '/oauth-redirect.', '/x/oauth-redirect', '/oauth-redirect%'],
  ...['/oauth-redirected', '/oauth_redirect', '/o\u0430uth-redirect', '/oauth-redirect/login'],
  ...['/login', '/', '', '/%', '/index.html'],
])('the page keeps its opener only where the router has the return point: %j', (path) => {
  const isReturnPoint = path === '/oauth-redirect';
  expect(findRoute(path)?.name === 'oauthRedirect').toBe(isReturnPoint);
  expect(
    appHeaders({ path, serviceOrigin: 'https://api.example.com', parentOrigins: [] })[
      'Cross-Origin-Opener-Policy'
    ],
  ).toBe(isReturnPoint ? 'unsafe-none' : 'same-origin-allow-popups');
});
