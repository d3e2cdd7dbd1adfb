import { allowConfigured } from '@features/session';
import type { AllowedUrl } from '@shared/platform/platform';
import type { AppConfig } from '@shared/platform/appConfig';
import { paths } from '@shared/routing/paths';

type HostRules = Pick<AppConfig, 'signOnUrl' | 'supplierHosts'>;

/** What the provider wrote into the address. */
export interface ProviderAnswer {
  readonly code: string | undefined;
  readonly state: string | undefined;
  readonly error: string | undefined;
  /** The provider's own name for itself, where it gives one (RFC 9207). */
  readonly issuer: string | undefined;
}

/**
 * The state of a flow that begins on `host`. Every window comes back to the login host (`redirect_uri`), while stored
 * state and channel belong to the host of the flow; so the state names any other host, behind a dot.
 */
export function stateOn(host: string, random: string, { signOnUrl }: Pick<HostRules, 'signOnUrl'>): string {
  return host === new URL(signOnUrl).host ? random : `${random}.${host}`;
}

/**
 * Where the login host passes an answer on to: the return point of the supplier host that the state names (decisions
 * §7). Anybody can write a state, so the host must be on the list to the letter, port included. `null`: the answer stays
 * here. Only the login host passes on, and never to itself, so nothing goes round in circles.
 */
export function flowHostAddress(
  { code, state = '', error, issuer }: ProviderAnswer,
  host: string,
  { signOnUrl, supplierHosts }: HostRules,
): AllowedUrl | null {
  const login = new URL(signOnUrl);
  const named = /^[\w-]+\.(.+)$/.exec(state)?.[1];
  if (host !== login.host || named === undefined || named === host || !supplierHosts.includes(named))
    return null;
  const answer = Object.entries({ code, state, error, iss: issuer }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const query = new URLSearchParams(answer).toString();
  return allowConfigured(`${login.protocol}//${named}${paths.oauthRedirect()}?${query}`);
}
