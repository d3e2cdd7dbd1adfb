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
  /** Where the providers send the browser: `{signOnUrl}/oauth-redirect` (docs/behaviour.md#return-point), the same for both. */
  readonly redirectUri: string;
  /** Reaches the providers. Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** One exchange, all of its calls together, is given up after this many seconds. Default 7, so that its refusal comes before nginx asks another process (8 s). */
  readonly timeoutSeconds?: number;
}
