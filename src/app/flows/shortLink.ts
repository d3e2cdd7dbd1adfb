import { allowConfigured } from '@features/session';
import type { AppConfig } from '@shared/platform/appConfig';
import type { AllowedUrl } from '@shared/platform/platform';

/**
 * Where a short link leads: on its host any path stands for `/redirect/{last segment}` of the login host (specification
 * §2). `null`: this is no short-link host.
 */
export function shortLinkTarget(
  { host, pathname }: { readonly host: string; readonly pathname: string },
  { shortLinkHosts, signOnUrl }: Pick<AppConfig, 'shortLinkHosts' | 'signOnUrl'>,
): AllowedUrl | null {
  if (!shortLinkHosts.includes(host)) return null;
  // As it came, percent signs and all: one segment stays one segment.
  const segment = pathname.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return allowConfigured(segment === '' ? signOnUrl : `${signOnUrl}/redirect/${segment}`);
}
