import { challengeScreen, loginScreen, oauthReturnScreen } from '@features/auth';
import type { RouteName } from '@vestibule/contract/paths';
import { createChunk, type Chunk } from '@shared/chunk';
import type { ScreenModule } from '@shared/routing/screenModule';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { returnPoint } from '@vestibule/contract/returnPoint';

/** Who may enter: all, only a session, or also a setup-mode session (docs/behaviour.md#access). */
export type RouteAccess = 'public' | 'session' | 'setup';

/** A row of the table: a screen whose module is part of the first bundle, or the chunk that it is fetched in. */
export type Route = Row & ({ readonly screen: ScreenModule } | { readonly chunk: Chunk<ScreenModule> });

interface Row {
  /** Segments; `:name` takes any. A trailing slash makes no difference, unless the route is exact. */
  readonly pattern: string;
  /** The route's headers are given to this one spelling. */
  readonly exact?: true;
  readonly access: RouteAccess;
  /** The route exists only if the configuration lists this extension. */
  readonly extension?: string;
}

const save = () => import('@features/password/save');
const enrolment = () => import('@features/mfa/enrolment');
const links = () => import('@features/auth/links');

const screenIn = <Name extends string>(
  load: () => Promise<Readonly<Record<Name, ScreenModule>>>,
  name: Name,
): Chunk<ScreenModule> => createChunk(async () => (await load())[name]);

/** Every screen of the application (docs/behaviour.md#route-table): its address, who may enter it, and its module. */
export const routes: Readonly<Record<RouteName, Route>> = {
  login: { pattern: '/login', access: 'public', screen: loginScreen },
  twoAuth: { pattern: '/two-auth', access: 'public', screen: challengeScreen },
  oauthRedirect: { pattern: returnPoint, exact: true, access: 'public', screen: oauthReturnScreen },

  magicLink: {
    pattern: '/redirect/:magiclinkId',
    access: 'public',
    chunk: screenIn(links, 'magicLinkScreen'),
  },
  secretKey: {
    pattern: '/secret-key/:hash',
    access: 'public',
    chunk: screenIn(links, 'apiInviteScreen'),
  },
  securityNotice: {
    pattern: '/security-notice/:hash',
    access: 'public',
    extension: 'notices',
    chunk: screenIn(() => import('@features/auth/security-notice'), 'securityNoticeScreen'),
  },
  unauthorized: {
    pattern: '/unauthorized',
    access: 'public',
    chunk: screenIn(links, 'unauthorizedScreen'),
  },

  forgotPassword: {
    pattern: '/forgot-password',
    access: 'public',
    chunk: screenIn(() => import('@features/password/forgot'), 'forgotScreen'),
  },
  resetPassword: {
    pattern: '/reset-password/:hash',
    access: 'public',
    chunk: screenIn(save, 'resetByLinkScreen'),
  },
  reset: {
    pattern: '/reset',
    access: 'session',
    chunk: screenIn(save, 'resetByQueryScreen'),
  },
  activate: {
    pattern: '/activate/:hash',
    access: 'public',
    chunk: screenIn(save, 'activateScreen'),
  },
  changeVerify: {
    pattern: '/reset-password-verify',
    access: 'session',
    chunk: screenIn(() => import('@features/auth/verify-identity'), 'verifyForPasswordScreen'),
  },
  changePassword: {
    pattern: '/reset-password-manual',
    access: 'session',
    chunk: screenIn(save, 'changePasswordScreen'),
  },

  accountSettings: {
    pattern: '/account-settings',
    access: 'setup',
    // In the chunk of the flows, so that its call is sent while the view is being loaded.
    chunk: screenIn(
      () => import(/* webpackChunkName: "screens" */ './account-settings'),
      'accountSettingsScreen',
    ),
  },
  accountActivity: {
    pattern: '/account-activity',
    access: 'session',
    extension: 'sessions',
    chunk: screenIn(() => import('@features/activity/lists'), 'activityScreen'),
  },
  mfaOptions: {
    pattern: '/mfa-options',
    access: 'setup',
    chunk: screenIn(() => import('@features/mfa/options'), 'optionsScreen'),
  },
  askPassword: {
    pattern: '/ask-password/:authystatus',
    access: 'session',
    chunk: screenIn(() => import('./flows/askPassword.saga'), 'askPasswordScreen'),
  },
  phoneEnrolment: {
    pattern: '/authy-collect-info/:uid',
    access: 'setup',
    chunk: screenIn(enrolment, 'phoneScreen'),
  },
  appEnrolment: {
    pattern: '/qrcode-start/:uid',
    access: 'setup',
    chunk: screenIn(enrolment, 'appScreen'),
  },
  enrolmentCode: {
    pattern: '/verification/:uid',
    access: 'setup',
    chunk: screenIn(enrolment, 'codeScreen'),
  },
  mfaActivated: {
    pattern: '/mfa-activated',
    access: 'setup',
    chunk: screenIn(() => import('./mfa-activated'), 'activatedScreen'),
  },
};

/** The screens whose state and sagas are part of the flows: all except those of a sign-in, which are in the first bundle. */
export const needsFlows = (route: Route): route is Extract<Route, { readonly chunk: unknown }> =>
  'chunk' in route;

/** A route of the table, and the parameters of its pattern, percent-encoded. */
export interface RouteMatch {
  readonly name: RouteName;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the route of a path; `null`: no route of the table. The only matcher: react-router's ignores capitals and slashes, and is
 * not in the first bundle (docs/decisions.md).
 */
export function matchRoute(pathname: string): RouteMatch | null {
  for (const name of Object.keys(routes) as RouteName[]) {
    const { pattern, exact } = routes[name];
    const params = matchPattern(pattern, pathname);
    if (params && (!exact || pathname === pattern)) return { name, params };
  }
  return null;
}

/** As {@link matchRoute}, without the routes of extensions that the service does not offer. */
export function matchOffered(
  pathname: string,
  { extensions }: Pick<AppConfig, 'extensions'>,
): RouteMatch | null {
  const match = matchRoute(pathname);
  const extension = match && routes[match.name].extension;
  return extension === undefined || extension === null || extensions.includes(extension) ? match : null;
}

/** The values of the `:names` in a pattern; `null`: the path does not match it. */
export function matchPattern(pattern: string, pathname: string): Record<string, string> | null {
  const segments = pathname.replace(/\/+$/, '').split('/').slice(1);
  const wanted = pattern.split('/').slice(1);
  if (wanted.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return params;
}
