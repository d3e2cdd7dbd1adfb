/** The registration of the service at a provider, as a confidential client. */
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

/** The Microsoft-type provider; each account has a tenant. */
export interface MicrosoftOptions extends ProviderClient {
  /** `https://login.microsoftonline.com/{tenantId}/v2.0`; `{tenantId}` is replaced by the account's tenant. */
  readonly issuerTemplate: string;
}

/** Sign-in with identity providers. A provider that is absent is not available. */
export interface ProvidersOptions {
  readonly google?: GoogleOptions;
  readonly microsoft?: MicrosoftOptions;
  /** Where the providers send the browser: `{signOnUrl}/oauth-redirect` (docs/behaviour.md#return-point), the same for both. */
  readonly redirectUri: string;
  /** Sends the requests to the providers. Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /**
   * Time limit for one exchange, all of its requests together, in seconds. Default 7, so that it fails before a proxy
   * tries another process (8 s).
   */
  readonly timeoutSeconds?: number;
}
