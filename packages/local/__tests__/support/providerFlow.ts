import { createHash, randomBytes } from 'node:crypto';
import { originOf } from '../../src/hosts.ts';
import {
  googleClientId,
  googleRoutes,
  microsoftClientId,
  microsoftRoutes,
  microsoftTenantId,
  type ProviderName,
} from '../../src/registration.ts';
import { pageOf, providerBrowser, queryOf, type Arrival, type ProviderBrowser } from './providerBrowser.ts';

const password = 'Front-door7';

/** The application's part: the address it opens, and what it keeps for the token call. */
export interface Request {
  readonly address: string;
  readonly state: string;
  readonly codeVerifier: string;
}

export const random = (): string => randomBytes(32).toString('base64url');

/** The authorisation request as the application sends it (docs/behaviour.md#authorization-request). */
export function authorizationRequest(
  provider: ProviderName,
  port: number,
  changes: Readonly<Record<string, string | null>> = {},
): Request {
  const state = random();
  const codeVerifier = random();
  const parameters: Readonly<Record<string, string | null>> = {
    response_type: 'code',
    redirect_uri: redirectUri(port),
    state,
    ...(provider === 'google'
      ? { client_id: googleClientId, scope: 'profile email openid', prompt: 'consent' }
      : {
          client_id: microsoftClientId,
          scope: 'offline_access user.read',
          nonce: random(),
          code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
          code_challenge_method: 'S256',
        }),
    ...changes,
  };
  const { authorization } = provider === 'google' ? googleRoutes : microsoftRoutes(microsoftTenantId);
  const url = new URL(originOf(provider, port) + authorization);
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.set(name, value);
  return { address: url.href, state, codeVerifier };
}

export function redirectUri(port: number): string {
  return `${originOf('app', port)}/oauth-redirect`;
}

/** A browser for a local environment. */
export function browserOn(port: number): ProviderBrowser {
  return providerBrowser(redirectUri(port));
}

/** Signs in and accepts everything. @returns where that ends. */
export async function signInAt(browser: ProviderBrowser, address: string, email: string): Promise<Arrival> {
  const afterSignIn = await browser.press(pageOf(await browser.go(address)), 'sign-in', { email, password });
  return afterSignIn.at === 'application' ? afterSignIn : browser.press(pageOf(afterSignIn), 'allow');
}

/** The parameters of the token call, after a user went through a provider's pages in a separate browser. */
export async function codeFor(
  provider: ProviderName,
  port: number,
  email: string,
  changes: Readonly<Record<string, string | null>> = {},
): Promise<{ readonly code: string; readonly codeVerifier: string }> {
  const { address, codeVerifier } = authorizationRequest(provider, port, changes);
  const { code = '' } = queryOf(await signInAt(browserOn(port), address, email));
  return { code, codeVerifier };
}
