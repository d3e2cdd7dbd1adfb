import { allowConfigured } from '@features/session';
import type { AppConfig } from '@shared/platform/appConfig';
import type { AllowedUrl } from '@shared/platform/platform';

/**
 * Target of a short link: on a short-link host any path means `/redirect/{last segment}` of the login host. `null`: not a
 * short-link host.
 */
export function shortLinkTarget(
  { host, pathname }: { readonly host: string; readonly pathname: string },
  { shortLinkHosts, signOnUrl }: Pick<AppConfig, 'shortLinkHosts' | 'signOnUrl'>,
): AllowedUrl | null {
  if (!shortLinkHosts.includes(host)) return null;
  // Not decoded: one segment stays one segment.
  const segment = pathname.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return allowConfigured(segment === '' ? signOnUrl : `${signOnUrl}/redirect/${segment}`);
}
