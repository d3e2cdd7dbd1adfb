import type { AppConfig } from '@vestibule/contract/appConfig';
import { parsedUrl, permittedRedirect } from '@vestibule/contract/redirects';
import type { Feature } from '@shared/deps';
import type { AllowedUrl } from '@shared/ports/ports';

/** Where a redirect may lead: the part of the configuration, and the folders of the service that features add. */
export interface RedirectRules {
  readonly config: Pick<AppConfig, 'signOnUrl' | 'serviceUrl' | 'redirectHosts'>;
  readonly features: readonly Pick<Feature, 'redirectsBelow'>[];
}

/**
 * The only check for redirects (docs/behaviour.md#redirect-allowlist). It returns a parsed and serialised address, and the
 * caller navigates to this address and not to its input. `null` means that the address counts as absent.
 */
export function allowRedirect(
  target: string | null | undefined,
  { config, features }: RedirectRules,
): AllowedUrl | null {
  if (!target) return null;
  const folders = features.flatMap(({ redirectsBelow }) =>
    redirectsBelow ? [config.serviceUrl + redirectsBelow] : [],
  );
  const url = permittedRedirect(target, config, folders);
  return url && pass(url);
}

/** The check for addresses of the configuration (`links.*`, `signOnUrl`): any http(s) address. */
export function allowConfigured(target: string): AllowedUrl | null {
  const url = parsedUrl(target);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? pass(url) : null;
}

// No other file makes an `AllowedUrl`, so that each address to leave for has passed this check.
const pass = (url: URL): AllowedUrl => url.href as AllowedUrl;
