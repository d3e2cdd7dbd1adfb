import type { TokenResponse, TokenPair } from '@shared/api/decoders';
import { unsignedJwt } from '@vestibule/client/testing/tokens';
import type { AppConfig } from '@vestibule/contract/appConfig';

export { methods, userAttributes } from '@dev/lab/builders';
export { unsignedJwt };

/** Addresses of the two demo applications and of the sign-on itself, as the local environment has them. */
export const hosts = {
  login: 'http://login.payments.localhost:4000',
  ledger: 'http://ledger.payments.localhost:4000/',
  hub: 'http://hub.payments.localhost:4000/',
} as const;

/** A valid configuration; change what the test is about. */
export function testConfig(changes: Partial<AppConfig> = {}): AppConfig {
  return {
    environment: 'test',
    signOnUrl: hosts.login,
    serviceUrl: 'http://api.payments.localhost:4000',
    cookies: { prefix: 'payments-test', domain: 'payments.localhost', sameSite: 'Lax' },
    redirectHosts: ['*.payments.localhost:4000'],
    parentOrigins: ['http://hub.payments.localhost:4000'],
    shortLinkHosts: ['go.payments.localhost:4000'],
    supplierHosts: ['suppliers.payments.localhost:4000'],
    links: {
      supplierSite: 'http://suppliers.payments.localhost:4000/',
      marketingSite: 'http://payments.localhost:4000/',
      supportEmail: 'support@payments.example',
      providerSupport: 'provider-support@payments.example',
    },
    google: {
      clientId: 'google-client',
      authorizationUrl: 'http://google.payments.localhost:4000/o/oauth2/v2/auth',
    },
    microsoft: {
      authorizationUrl: 'http://microsoft.payments.localhost:4000/{tenantId}/oauth2/v2.0/authorize',
    },
    brands: {
      default: { label: 'Payments', look: 'default' },
      'supplier-hub': { label: 'Supplier Hub', look: 'default' },
      ledger: { label: 'Ledger', look: 'default' },
      treasury: { label: 'Treasury', look: 'default' },
      'e-pay': { label: 'e-Pay', look: 'epay' },
    },
    oneTimeLinks: 'auto',
    extensions: [],
    devTools: false,
    ...changes,
  };
}

/** The claims of an access token (docs/behaviour.md#token-claims); times in seconds since the epoch. */
export interface AccessTokenFacts {
  readonly uid: string;
  readonly username: string;
  readonly email: string;
  readonly firstName: string;
  readonly method: 'basic' | 'google' | 'microsoft' | 'other';
  readonly isMfaSetup: boolean;
  /** One key per persona group. */
  readonly personas: Readonly<Record<string, readonly { readonly applicationUrl?: string }[]>>;
  readonly iat: number;
  /** Lifetime, in seconds; `exp` is `iat` plus this. */
  readonly lifeSeconds: number;
}

/** One persona group: the user goes directly to the ledger. */
export const onePersona = { ledger: [{ applicationUrl: hosts.ledger }] } as const;

/** Two persona groups: the user goes to the account settings. */
export const severalPersonas = { ...onePersona, hub: [{ applicationUrl: hosts.hub }] } as const;

/** An access token of Ada's, issued now and valid for 15 minutes, unless set otherwise. */
export function accessToken(changes: Partial<AccessTokenFacts> = {}): string {
  const { lifeSeconds, ...claims }: AccessTokenFacts = {
    uid: 'u_1',
    username: 'ada@example.com',
    email: 'ada@example.com',
    firstName: 'Ada',
    method: 'basic',
    isMfaSetup: false,
    personas: onePersona,
    iat: Math.floor(Date.now() / 1000),
    lifeSeconds: 900,
    ...changes,
  };
  return unsignedJwt({ ...claims, exp: claims.iat + lifeSeconds });
}

/** A trusted token, valid for 30 days from now unless set otherwise; `exp` in seconds since the epoch. */
export function trustedToken(exp = Math.floor(Date.now() / 1000) + 30 * 86_400): string {
  return unsignedJwt({ exp });
}

let issued = 0;

/** Both tokens of a session; every pair is another one. */
export function tokenPair(facts: Partial<AccessTokenFacts> = {}): TokenPair {
  issued += 1;
  return { token: accessToken(facts), refresh: `refresh-${String(issued)}` };
}

/** Answers of the token call, by what they require next. */
export const answers = {
  session: (facts: Partial<AccessTokenFacts> = {}): TokenResponse => tokenPair(facts),
  textChallenge: (changes: Partial<TokenResponse> = {}): TokenResponse => ({
    mfaRequired: true,
    secondStep: 'text',
    authVerificationToken: 'vt_1',
    authyId: '52001',
    uid: 'u_1',
    ...changes,
  }),
  appChallenge: (changes: Partial<TokenResponse> = {}): TokenResponse => ({
    mfaRequired: true,
    secondStep: 'app',
    authVerificationToken: 'vt_1',
    uid: 'u_1',
    ...changes,
  }),
  mustSetUpMfa: (facts: Partial<AccessTokenFacts> = {}): TokenResponse => ({
    mfaJWT: accessToken({ isMfaSetup: true, ...facts }),
    uid: 'u_1',
  }),
} as const;

const credential = { id: 'key-1', rawId: 'key-1', type: 'public-key' } as const;

/** What the browser gives, and the options that it gets. */
export const passkeys = {
  options: {
    challengeToken: 'challenge-1',
    publicKey: {
      challenge: 'Yh5rXq1wS0m8cK3vT9bJ2w',
      rpId: 'login.payments.example',
      timeout: 300_000,
      userVerification: 'required',
    },
  },
  creationOptions: {
    challengeToken: 'challenge-1',
    publicKey: {
      challenge: 'Yh5rXq1wS0m8cK3vT9bJ2w',
      rp: { id: 'login.payments.example', name: 'Payments' },
      user: { id: 'handle', name: 'ada@example.com', displayName: 'Ada' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    },
  },
  assertion: {
    ...credential,
    response: { clientDataJSON: 'client', authenticatorData: 'data', signature: 'signature' },
  },
  made: { ...credential, response: { clientDataJSON: 'client', attestationObject: 'attestation' } },
  entry: {
    id: 'key-1',
    name: 'Firefox on Windows',
    createdAt: '2026-11-02T09:30:00Z',
    lastUsedAt: null,
    isSynced: true,
  },
} as const;
