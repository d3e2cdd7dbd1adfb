/** The service as a provider knows it: a confidential client. */
interface ProviderClient {
  readonly clientId: string;
  /** Sent in the body of the token call (`client_secret_post`). */
  readonly clientSecret: string;
}

/** The Google-type provider. */
export interface GoogleOptions extends ProviderClient {
  /** `https://accounts.google.com`. */
  readonly issuer: string;
}

/** The Microsoft-type provider; each account names its tenant. */
export interface MicrosoftOptions extends ProviderClient {
  /** `https://login.microsoftonline.com/{tenantId}/v2.0`; `{tenantId}` becomes the account's tenant. */
  readonly issuerTemplate: string;
}

/** Sign-in by identity provider. A provider that is absent is not available. */
export interface ProvidersOptions {
  readonly google?: GoogleOptions;
  readonly microsoft?: MicrosoftOptions;
  /** Where the providers send the browser: `{signOnUrl}/oauth-redirect` (decisions §7), the same for both. */
  readonly redirectUri: string;
  /** Reaches the providers. Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** One exchange, all of its calls together, is given up after this many seconds. Default 10. */
  readonly timeoutSeconds?: number;
}

const loopback = /^(?:localhost|(?:[a-z0-9-]+\.)+localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether plain http is accepted: on this machine only. */
export function isLoopback(url: URL): boolean {
  return loopback.test(url.hostname);
}

/**
 * Checks what a deployment has set.
 *
 * @throws Error naming the option that cannot be right.
 */
export function checkProviders({ google, microsoft, redirectUri }: ProvidersOptions): void {
  checkAddress('providers.redirectUri', redirectUri);
  if (google !== undefined) checkAddress('providers.google.issuer', google.issuer);
  if (microsoft === undefined) return;
  if (!microsoft.issuerTemplate.includes('{tenantId}')) {
    throw new Error('providers.microsoft.issuerTemplate must hold {tenantId}.');
  }
  checkAddress(
    'providers.microsoft.issuerTemplate',
    microsoft.issuerTemplate.replace('{tenantId}', 'tenant'),
  );
}

function checkAddress(name: string, address: string): void {
  const url = URL.parse(address);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))) return;
  throw new Error(`${name} must be an https address (http on this machine only).`);
}
