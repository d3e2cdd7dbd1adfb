import { returnPoint } from './returnPoint.ts';

/** What identity is verified for: to turn two-step verification on (or change it) or off, for new recovery codes, or for passkeys. */
export type VerifyPurpose = 'enable' | 'disable' | 'recovery-codes' | 'add-passkey' | 'remove-passkey';

/**
 * The path of each route of the application; no other file contains one. `app/routes.ts` maps routes to screens. A
 * query is passed with its question mark.
 */
export const paths = {
  login: (search = ''): string => `/login${search}`,
  twoAuth: (search = ''): string => `/two-auth${search}`,
  oauthRedirect: (): string => returnPoint,
  unauthorized: (): string => '/unauthorized',
  forgotPassword: (search = ''): string => `/forgot-password${search}`,
  resetPassword: (hash: string): string => `/reset-password/${encodeURIComponent(hash)}`,
  activate: (hash: string): string => `/activate/${encodeURIComponent(hash)}`,
  secretKey: (hash: string): string => `/secret-key/${encodeURIComponent(hash)}`,
  securityNotice: (hash: string): string => `/security-notice/${encodeURIComponent(hash)}`,
  magicLink: (id: string): string => `/redirect/${encodeURIComponent(id)}`,
  reset: (): string => '/reset',
  changeVerify: (): string => '/reset-password-verify',
  changePassword: (): string => '/reset-password-manual',
  accountSettings: (): string => '/account-settings',
  accountActivity: (): string => '/account-activity',
  mfaOptions: (): string => '/mfa-options',
  askPassword: (authystatus: VerifyPurpose): string => `/ask-password/${authystatus}`,
  phoneEnrolment: (uid: string): string => `/authy-collect-info/${encodeURIComponent(uid)}`,
  appEnrolment: (uid: string): string => `/qrcode-start/${encodeURIComponent(uid)}`,
  enrolmentCode: (uid: string): string => `/verification/${encodeURIComponent(uid)}/`,
  mfaActivated: (method: 'text' | 'app'): string =>
    `/mfa-activated?method=${method === 'text' ? 'sms' : 'qrcode'}`,
} as const;

/** Name of a route. */
export type RouteName = keyof typeof paths;

/** The routes whose last segment is the id of a one-time link: a secret, which the store holds masked. */
export const linkRoutes = [
  'resetPassword',
  'activate',
  'secretKey',
  'magicLink',
  'securityNotice',
] as const satisfies readonly RouteName[];

/** Removes a parameter from a query; the rest is not changed. */
export function withoutParameter(search: string, name: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => !new URLSearchParams(part).has(name))
    .join('&');
  return kept && `?${kept}`;
}
