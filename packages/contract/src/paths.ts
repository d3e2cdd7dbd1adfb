import { returnPoint } from './returnPoint.ts';

/**
 * The path of each route of the application, except those of extensions. A
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
  magicLink: (id: string): string => `/redirect/${encodeURIComponent(id)}`,
  reset: (): string => '/reset',
  changeVerify: (): string => '/reset-password-verify',
  changePassword: (): string => '/reset-password-manual',
  accountSettings: (): string => '/account-settings',
  mfaOptions: (): string => '/mfa-options',
  /** @param purpose - what identity is verified for: a name that a feature gives */
  askPassword: (purpose: string): string => `/ask-password/${purpose}`,
  phoneEnrolment: (uid: string): string => `/authy-collect-info/${encodeURIComponent(uid)}`,
  appEnrolment: (uid: string): string => `/qrcode-start/${encodeURIComponent(uid)}`,
  enrolmentCode: (uid: string): string => `/verification/${encodeURIComponent(uid)}/`,
  mfaActivated: (method: 'text' | 'app'): string =>
    `/mfa-activated?method=${method === 'text' ? 'sms' : 'qrcode'}`,
} as const;

/** Name of a route. */
export type RouteName = keyof typeof paths;

/** Removes a parameter from a query; the rest is not changed. */
export function withoutParameter(search: string, name: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => !new URLSearchParams(part).has(name))
    .join('&');
  return kept && `?${kept}`;
}
