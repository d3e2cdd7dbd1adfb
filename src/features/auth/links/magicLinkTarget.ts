import { allowRedirect, decodeClaims, type Claims, type RedirectRules } from '@features/session';
import type { MagicLinkResponse } from '@shared/api/decoders';
import type { AllowedUrl } from '@shared/ports/ports';

/** Screens of this application that a magic link may lead to, by the `type` of its response. */
const formRoutes: ReadonlyMap<string | undefined, FormRoute> = new Map([
  ['activate', 'activate'],
  ['reset-password', 'resetPassword'],
  ['secret-key', 'secretKey'],
]);

type FormRoute = 'activate' | 'resetPassword' | 'secretKey';

/** The target of a magic link. */
export type MagicLinkTarget =
  | { readonly kind: 'signOn'; readonly route: FormRoute }
  | {
      readonly kind: 'application';
      readonly target: AllowedUrl;
      readonly tokens: { readonly token: string; readonly refreshToken: string };
      readonly claims: Claims;
    }
  | { readonly kind: 'failed' };

/**
 * Reads the response: this application if `applicationUrl` has its origin, otherwise an application, by `redirectUrl` or
 * `applicationUrl` through the redirect allowlist. See docs/behaviour.md#magic-links.
 *
 * @param hash - lower-case hex SHA-256 of the link's id; added to the query
 */
export function magicLinkTarget(
  response: MagicLinkResponse,
  hash: string,
  rules: RedirectRules,
): MagicLinkTarget {
  const { applicationUrl, redirectUrl, type, token, refreshToken } = response;
  if (originOf(applicationUrl) === new URL(rules.config.signOnUrl).origin) {
    const route = formRoutes.get(type);
    return route ? { kind: 'signOn', route } : { kind: 'failed' };
  }
  const target = allowRedirect(redirectUrl, rules) ?? allowRedirect(applicationUrl, rules);
  const claims = decodeClaims(token ?? '');
  // A token without personas is not a session, as at a sign-in.
  if (!target || !token || !refreshToken || !claims?.personas.length) return { kind: 'failed' };
  const withHash = new URL(target);
  withHash.searchParams.set('magiclink', hash);
  const allowed = allowRedirect(withHash.href, rules);
  return allowed
    ? { kind: 'application', target: allowed, tokens: { token, refreshToken }, claims }
    : { kind: 'failed' };
}

function originOf(address: string | undefined): string | null {
  try {
    return address === undefined ? null : new URL(address).origin;
  } catch {
    return null;
  }
}
