import type { LoginMethod } from '@shared/api/decoders';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { allowConfigured } from '@features/session';
import type { AllowedUrl } from '@shared/ports/ports';
import { paths } from '@vestibule/contract/paths';

/** The random values of one flow that go into the address. */
interface FlowSecrets {
  /** Identifies the flow and names its channel. */
  readonly state: string;
  readonly nonce: string;
  /** S256 challenge of the code verifier (RFC 7636). */
  readonly challenge: string;
}

/** Who signs in, and whether the provider asks for the credentials again. */
export interface AuthorizationRequest {
  readonly loginHint: string | null;
  /** The provider must ask for the credentials again. */
  readonly forced: boolean;
}

type ProviderConfig = Pick<AppConfig, 'signOnUrl' | 'google' | 'microsoft'>;

/** Address at the Google-type provider. See docs/behaviour.md#authorization-request. */
export function googleAuthorizationUrl(
  config: ProviderConfig,
  { state }: FlowSecrets,
  request: AuthorizationRequest,
): AllowedUrl | null {
  return authorizationUrl(config, config.google.authorizationUrl, {
    client_id: config.google.clientId,
    scope: 'profile email openid',
    state,
    prompt: request.forced ? 'login' : 'consent',
    login_hint: request.loginHint,
  });
}

/** Address at the Microsoft-type provider, with PKCE and a nonce. */
export function microsoftAuthorizationUrl(
  config: ProviderConfig,
  { tenantId, clientId }: MicrosoftConfiguration,
  { state, nonce, challenge }: FlowSecrets,
  request: AuthorizationRequest,
): AllowedUrl | null {
  return authorizationUrl(config, config.microsoft.authorizationUrl.replace('{tenantId}', tenantId), {
    client_id: clientId,
    scope: 'offline_access user.read',
    state,
    nonce,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    prompt: request.forced ? 'login' : null,
    login_hint: request.loginHint,
  });
}

function authorizationUrl(
  { signOnUrl }: ProviderConfig,
  endpoint: string,
  parameters: Readonly<Record<string, string | null>>,
): AllowedUrl | null {
  const url = new URL(endpoint);
  url.searchParams.set('response_type', 'code');
  url.searchParams.set('redirect_uri', signOnUrl + paths.oauthRedirect());
  for (const [name, value] of Object.entries(parameters))
    if (value !== null) url.searchParams.set(name, value);
  return allowConfigured(url.href);
}

/** The configuration of the login method. */
export type MicrosoftConfiguration = NonNullable<
  Extract<LoginMethod, { method: 'microsoft' }>['configuration']
>;

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const domain = /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
const sharedTenants: readonly string[] = ['common', 'organizations', 'consumers'];

/** Whether the configuration may be used in an address. The administrator of a tenant chooses its values. */
export function isFitConfiguration(
  configuration: MicrosoftConfiguration | undefined,
): configuration is MicrosoftConfiguration {
  if (!configuration) return false;
  const { tenantId, clientId } = configuration;
  return (
    guid.test(clientId) && (guid.test(tenantId) || domain.test(tenantId) || sharedTenants.includes(tenantId))
  );
}

/**
 * The login hint of an e-mail: the address without the plus-suffix of its local part. See docs/behaviour.md#authorization-request.
 *
 * @returns `null` for anything but an e-mail
 */
export function loginHintOf(email: string): string | null {
  const at = email.lastIndexOf('@');
  if (at < 1 || at === email.length - 1) return null;
  const [mailbox] = email.slice(0, at).split('+');
  return mailbox ? mailbox + email.slice(at) : null;
}
