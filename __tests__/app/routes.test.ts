import { matchPattern, matchRoute, routes } from '@app/routes';
import { paths, type RouteName } from '@shared/routing/paths';

const builtPaths: Record<RouteName, string> = {
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
  ...{ phoneSetup: paths.phoneSetup('u/1 ?'), appSetup: paths.appSetup('u_1') },
  setupCode: paths.setupCode('u_1').replace(/\/$/, ''),
  mfaActivated: '/mfa-activated',
};

it.each(Object.keys(routes) as RouteName[])('the room of %s can be loaded', async (name) => {
  const route = routes[name];
  const room = 'room' in route ? route.room : await route.load();
  expect(room.Screen).toBeDefined();
});

describe('the route of a path', () => {
  it.each(Object.keys(routes) as RouteName[])(
    '%s is found under its own path, with a trailing slash or without',
    (name) => {
      const path = builtPaths[name];
      expect(matchRoute(path)?.name).toBe(name);
      // The return point has one spelling (headers.test.ts).
      expect(matchRoute(`${path}/`)?.name).toBe(name === 'oauthRedirect' ? undefined : name);
    },
  );

  it.each([
    '/',
    '',
    '/log',
    '/login/more',
    '//login',
    '/LOGIN',
    '/lo%67in',
    '/account-settings/../login',
    '/__proto__',
  ])('%j is none of ours', (path) => {
    expect(matchRoute(path)).toBeNull();
  });
});

describe('a pattern with a parameter', () => {
  it.each([
    ['/activate/abc', { hash: 'abc' }],
    ['/activate/abc/', { hash: 'abc' }],
    ['/activate/a%2Fb%20c', { hash: 'a%2Fb%20c' }],
    ['/activate/..', { hash: '..' }],
    ['/activate', null],
    ['/activate/', null],
    ['/activate/a/b', null],
    ['/activated/abc', null],
  ])('matches %s as %j, still percent-encoded', (path, params) => {
    expect(matchPattern('/activate/:hash', path)).toEqual(params);
  });

  it('takes several', () => {
    expect(matchPattern('/:uid/code/:n', '/u_1/code/2')).toEqual({ uid: 'u_1', n: '2' });
  });
});
