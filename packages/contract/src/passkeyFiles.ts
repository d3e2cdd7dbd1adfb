import type { AppConfig } from './appConfig.ts';
import { paths } from './paths.ts';

/**
 * What the hosts of the page serve about passkeys, as JSON by path; nothing without the extension. By the first, browsers let the
 * supplier hosts use the passkeys of the login host (related origins); by the second, password managers find the settings.
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
