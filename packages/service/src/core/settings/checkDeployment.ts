import { isLoopback, isProtected } from '../../platform/addresses.ts';
import type { ServiceSettings } from './options.ts';
import type { ProvidersOptions } from './providersOptions.ts';

/**
 * Rejects settings that put secrets at risk.
 *
 * @throws Error naming the option, and the environment variable that sets it.
 */
export function checkDeployment(settings: ServiceSettings): void {
  const { issuer, allowedOrigins, links, providers } = settings;
  checkAddress('issuer (ISSUER)', issuer);
  for (const origin of allowedOrigins) checkAddress('allowedOrigins (ALLOWED_ORIGINS)', origin);
  checkAddress('links.signOnUrl (SIGN_ON_URL)', links.signOnUrl);
  checkAddress('links.shortLinkUrl (SHORT_LINK_URL)', links.shortLinkUrl);
  if (providers !== undefined) checkProviders(providers);
  checkEncryptionKey(settings);
}

/** Anyone with a copy of a database with plaintext keys could sign a token for any user. */
function checkEncryptionKey({ encryptionKey, database, issuer }: ServiceSettings): void {
  if (encryptionKey !== undefined) return;
  if ('folder' in database && isLoopback(new URL(issuer).hostname)) return;
  throw new Error(
    'encryptionKey (ENCRYPTION_KEY) is not set. Without it the service starts only with the embedded database and an issuer on this machine. `openssl rand -base64 32` generates a key.',
  );
}

function checkProviders({ google, microsoft, redirectUri }: ProvidersOptions): void {
  checkAddress('providers.redirectUri (PROVIDER_REDIRECT_URI)', redirectUri);
  if (google !== undefined) checkAddress('providers.google.issuer (GOOGLE_ISSUER)', google.issuer);
  if (microsoft === undefined) return;
  const name = 'providers.microsoft.issuerTemplate (MICROSOFT_ISSUER_TEMPLATE)';
  if (!microsoft.issuerTemplate.includes('{tenantId}')) throw new Error(`${name} must hold {tenantId}.`);
  checkAddress(name, microsoft.issuerTemplate.replace('{tenantId}', 'tenant'));
}

/** @throws Error unless the address is https or on this machine. */
export function checkAddress(name: string, address: string): void {
  if (isProtected(address)) return;
  throw new Error(`${name} must be an https address. Plain http is accepted on this machine only.`);
}
