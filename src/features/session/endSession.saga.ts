import type { Api } from '@shared/api/api';
import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { takeMagicLinks } from './magicLinkCookies';
import { sessionEnded, type SessionEnd } from './session.slice';
import { clearSession, clearSetup, readSession, readSetup } from './sessionCookies';

/**
 * Ends the session in this browser: cookies and secrets are cleared, the parent frame is notified. `app/checkAccess.saga.ts`
 * decides which screen follows. Nothing is revoked: see `endHeldSessions`.
 */
export function* endSession(deps: Deps, reason: SessionEnd): SagaGenerator<void> {
  yield* call(clearSession, deps);
  yield* call(deps.vault.dropOfSession);
  yield* call(deps.parentFrame.notify, 'removed_tokens');
  yield* put(sessionEnded({ reason }));
}

/** A token whose session the service can end. */
type Revocable = Parameters<Api['auth']['revoke']>[0];
/**
 * The tokens in the cookies of the session and of setup mode.
 *
 * @param successor - the token that replaces them: left out, because a service may issue the same one again
 */
export function heldTokens(deps: Deps, successor?: string): readonly Revocable[] {
  const stored = readSession(deps);
  const setup = readSetup(deps);
  const tokens: Revocable[] = [];
  if (stored.kind === 'present' && stored.tokens.refresh !== successor)
    tokens.push({ refresh: stored.tokens.refresh });
  if (setup && setup.mfaToken !== successor) tokens.push({ mfaToken: setup.mfaToken });
  return tokens;
}

/**
 * Ends sessions at the service, where it offers that (docs/behaviour.md#extensions). Does not wait and ignores failures: a
 * sign-out must work without a network. Call it after the cookies have been removed.
 */
export function revoke({ api, config }: Deps, tokens: readonly Revocable[]): void {
  if (!config.extensions.includes('revoke')) return;
  for (const token of tokens) void api.auth.revoke(token).catch(() => undefined);
}

/** Ends every session that the cookies hold, magic links included: first here, then at the service. */
export function endHeldSessions(deps: Deps): void {
  const tokens = [...heldTokens(deps), ...takeMagicLinks(deps)];
  clearSession(deps);
  clearSetup(deps);
  revoke(deps, tokens);
}
