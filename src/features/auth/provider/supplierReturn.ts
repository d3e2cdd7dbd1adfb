import { allowConfigured } from '@features/session';
import type { AllowedUrl } from '@shared/ports/ports';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { paths } from '@vestibule/contract/paths';

type HostRules = Pick<AppConfig, 'signOnUrl' | 'supplierHosts'>;

/** The provider's response, from the query. */
export interface ProviderResponse {
  readonly code: string | undefined;
  readonly state: string | undefined;
  readonly error: string | undefined;
  /** `iss` (RFC 9207). */
  readonly issuer: string | undefined;
}

/**
 * The state of a flow that starts on `host`. Every window returns to the login host, while stored state and channel
 * belong to the flow's host. So the state names any other host, after a dot. See docs/behaviour.md#supplier-hosts.
 */
export function stateOn(host: string, random: string, { signOnUrl }: Pick<HostRules, 'signOnUrl'>): string {
  return host === new URL(signOnUrl).host ? random : `${random}.${host}`;
}

/**
 * Where the login host passes a response on to: the return point of the supplier host that the state names. A state can be
 * forged, so that host must be on `supplierHosts`, port included. Only the login host passes on, and never to itself.
 *
 * @returns `null` when the response is for this host
 */
export function supplierReturnUrl(
  { code, state = '', error, issuer }: ProviderResponse,
  host: string,
  { signOnUrl, supplierHosts }: HostRules,
): AllowedUrl | null {
  const login = new URL(signOnUrl);
  const named = /^[\w-]+\.(.+)$/.exec(state)?.[1];
  if (host !== login.host || named === undefined || named === host || !supplierHosts.includes(named))
    return null;
  const response = Object.entries({ code, state, error, iss: issuer }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query = new URLSearchParams(response).toString();
  return allowConfigured(`${login.protocol}//${named}${paths.oauthRedirect()}?${query}`);
}
