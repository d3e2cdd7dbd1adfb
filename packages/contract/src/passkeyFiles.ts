import type { AppConfig } from './appConfig.ts';
import { paths } from './paths.ts';

/**
 * The JSON files about passkeys that the hosts of the page serve, by path; none without the extension. The first one lets supplier
 * hosts use the passkeys of the login host (related origins). The second one leads password managers to the settings.
 */
export function passkeyFiles({
  extensions,
  signOnUrl,
  supplierHosts,
}: Pick<AppConfig, 'extensions' | 'signOnUrl' | 'supplierHosts'>): Readonly<Record<string, string>> {
  if (!extensions.includes('passkeys')) return {};
  const settings = signOnUrl + paths.accountSettings();
  const files = {
    '/.well-known/webauthn': { origins: passkeyOrigins({ signOnUrl, supplierHosts }) },
    '/.well-known/passkey-endpoints': { enroll: settings, manage: settings },
  };
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, JSON.stringify(content)]));
}

/** The origins of the pages that may use passkeys. */
export function passkeyOrigins({
  signOnUrl,
  supplierHosts,
}: Pick<AppConfig, 'signOnUrl' | 'supplierHosts'>): readonly string[] {
  const { protocol } = new URL(signOnUrl);
  return [signOnUrl, ...supplierHosts.map((host) => `${protocol}//${host}`)];
}
