import { returnPoint } from '@contract/returnPoint';

/**
 * Every route of the application (specification §2): the pattern that the route table matches, and a typed
 * builder for links. Nothing else in the project writes a path of ours.
 */

/** A person can be anywhere: public routes need no session, `setup` routes also take a setup-mode session. */
export type RouteAccess = 'public' | 'session' | 'setup';

/** A row of the table. */
export interface RouteRule {
  readonly pattern: string;
  readonly access: RouteAccess;
  /** No trailing slash: the route's headers are given to this one spelling. */
  readonly exact?: true;
}

/** Route name → pattern and who may enter. */
export const routes = {
  login: { pattern: '/login', access: 'public' },
  twoAuth: { pattern: '/two-auth', access: 'public' },
  oauthRedirect: { pattern: returnPoint, access: 'public', exact: true },
  unauthorized: { pattern: '/unauthorized', access: 'public' },
  forgotPassword: { pattern: '/forgot-password', access: 'public' },
  resetPassword: { pattern: '/reset-password/:hash', access: 'public' },
  activate: { pattern: '/activate/:hash', access: 'public' },
  secretKey: { pattern: '/secret-key/:hash', access: 'public' },
  magicLink: { pattern: '/redirect/:magiclinkId', access: 'public' },
  reset: { pattern: '/reset', access: 'session' },
  changeVerify: { pattern: '/reset-password-verify', access: 'session' },
  changePassword: { pattern: '/reset-password-manual', access: 'session' },
  accountSettings: { pattern: '/account-settings', access: 'setup' },
  mfaOptions: { pattern: '/mfa-options', access: 'setup' },
  askPassword: { pattern: '/ask-password/:authystatus', access: 'session' },
  phoneSetup: { pattern: '/authy-collect-info/:uid', access: 'setup' },
  appSetup: { pattern: '/qrcode-start/:uid', access: 'setup' },
  setupCode: { pattern: '/verification/:uid', access: 'setup' },
  mfaActivated: { pattern: '/mfa-activated', access: 'setup' },
} as const satisfies Record<string, RouteRule>;

/** The routes that a magic link of the sign-on itself may lead to (decisions §9). */
export const linkTypes = ['activate', 'reset-password', 'secret-key'] as const;
export type LinkType = (typeof linkTypes)[number];

/** Name of a route of ours. */
export type RouteName = keyof typeof routes;

/** Addresses within the application; each takes the query to keep, with its question mark. */
export const paths = {
  login: (search = ''): string => `/login${search}`,
  twoAuth: (search = ''): string => `/two-auth${search}`,
  forgotPassword: (search = ''): string => `/forgot-password${search}`,
  oauthRedirect: (): string => returnPoint,
  unauthorized: (): string => '/unauthorized',
  accountSettings: (): string => '/account-settings',
  mfaOptions: (): string => '/mfa-options',
  changeVerify: (): string => '/reset-password-verify',
  changePassword: (): string => '/reset-password-manual',
  /** What a one-time link leads to; the id is one segment, whatever it holds. */
  link: (type: LinkType, id: string): string => `/${type}/${encodeURIComponent(id)}`,
  /** Verify identity, to turn two-step verification on (or change it), or off. */
  askPassword: (authystatus: 'enable' | 'disable'): string => `/ask-password/${authystatus}`,
  phoneSetup: (uid: string): string => `/authy-collect-info/${encodeURIComponent(uid)}`,
  appSetup: (uid: string): string => `/qrcode-start/${encodeURIComponent(uid)}`,
  setupCode: (uid: string): string => `/verification/${encodeURIComponent(uid)}/`,
  mfaActivated: (method: 'sms' | 'qrcode'): string => `/mfa-activated?method=${method}`,
} as const;

/** Addresses whose last segment is a secret: one-time link ids. The store holds them masked (decisions §10). */
export const secretPatterns: readonly string[] = [
  '/reset-password/:hash',
  '/activate/:hash',
  '/secret-key/:hash',
  '/redirect/:magiclinkId',
];

/** Query parameters that are secrets, on any route: a provider's code and state, the hash of `/reset`. */
export const secretParameters: readonly string[] = ['code', 'state', 'hash', 'id_token', 'session_state'];
