import type { Api } from '@shared/api/api';
import type { Deps } from '@shared/deps';
import { clearSession, clearSetup, readSession, readSetup, type CookieDeps } from '../sessionCookies';
import { takeMagicLinks } from './magicLinkCookies';

/** What ending a session at the service needs of the outside. */
export type RevokeDeps = Pick<Deps, 'api' | 'config'>;

/** A token whose session can be ended. */
export type Revocable = Parameters<Api['auth']['revoke']>[0];

/**
 * The tokens in the cookies of the session and of setup mode.
 *
 * @param successor - what takes their place; a service may give the same token again
 */
export function heldTokens(deps: CookieDeps, successor?: string): readonly Revocable[] {
  const stored = readSession(deps);
  const setup = readSetup(deps);
  const tokens: Revocable[] = [];
  if (stored.kind === 'present' && stored.tokens.refresh !== successor)
    tokens.push({ refresh: stored.tokens.refresh });
  if (setup && setup.mfaToken !== successor) tokens.push({ mfaToken: setup.mfaToken });
  return tokens;
}

/**
 * Ends sessions at the service, where it offers that (extension `revoke`). Sent and not waited for, whatever comes of it:
 * a sign-out works without a network, too. Call it when the cookies are gone.
 */
export function revoke({ api, config }: RevokeDeps, tokens: readonly Revocable[]): void {
  if (!config.extensions.includes('revoke')) return;
  for (const token of tokens) void api.auth.revoke(token).catch(() => undefined);
}

/** A person signs out: ends every session that the cookies hold, here first and then at the service. */
export function endHeldSessions(deps: RevokeDeps & CookieDeps): void {
  const tokens = [...heldTokens(deps), ...takeMagicLinks(deps)];
  clearSession(deps);
  clearSetup(deps);
  revoke(deps, tokens);
}
