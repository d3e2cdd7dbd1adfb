import { allowConfigured } from '@features/session';
import type { AllowedUrl } from '@shared/ports/ports';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { paths } from '@vestibule/contract/paths';

type HostRules = Pick<AppConfig, 'signOnUrl' | 'supplierHosts'>;

/** The response of a provider, as the query contains it. */
export interface ProviderResponse {
  readonly code: string | undefined;
  readonly state: string | undefined;
  readonly error: string | undefined;
  /** `iss` (RFC 9207). */
  readonly issuer: string | undefined;
}

/**
 * Makes the state of a flow that starts on `host`. Every window returns to the login host, but the stored state and the
 * channel belong to the host of the flow. So the state of any other host ends with a dot and its name. See
 * docs/behaviour.md#supplier-hosts.
 */
export function stateOn(host: string, random: string, { signOnUrl }: Pick<HostRules, 'signOnUrl'>): string {
  return host === new URL(signOnUrl).host ? random : `${random}.${host}`;
}

/**
 * The return point to which the login host passes a response on: that of the supplier host in the state. A state can be
 * forged, so the host must be on `supplierHosts` with its port.
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
