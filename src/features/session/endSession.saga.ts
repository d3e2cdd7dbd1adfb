import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { StoredToken } from '@shared/slots';
import { put } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { takeMagicLinks } from './magicLinkCookies';
import { sessionEnded, type SessionEnd } from './session.slice';
import { clearSession, clearSetup, readSession, readSetup } from './sessionCookies';

/**
 * Ends the session in this browser: cookies and secrets are cleared, the parent frame is notified. `app/checkAccess.saga.ts`
 * decides which screen follows. The session at the service does not end.
 */
export function* endSession(deps: Deps, reason: SessionEnd): SagaGenerator<void> {
  yield* call(clearSession, deps);
  yield* call(deps.vault.dropOfSession);
  yield* call(deps.parentFrame.notify, 'removed_tokens');
  yield* put(sessionEnded({ reason }));
}

/**
 * The tokens in the cookies of the session and of setup mode.
 *
 * @param successor - the token that replaces them. It is left out, because a service may issue the same token again
 */
export function storedTokens(deps: Deps, successor?: string): readonly StoredToken[] {
  const stored = readSession(deps);
  const setup = readSetup(deps);
  const tokens: StoredToken[] = [];
  if (stored.kind === 'present' && stored.tokens.refresh !== successor)
    tokens.push({ refresh: stored.tokens.refresh });
  if (setup && setup.mfaToken !== successor) tokens.push({ mfaToken: setup.mfaToken });
  return tokens;
}

/** Ends sessions at the service if a feature does that. Call it after the cookies have been removed. */
export function endAtService(deps: Deps, tokens: readonly StoredToken[]): void {
  for (const token of tokens) for (const feature of deps.features) feature.endAtService?.(deps, token);
}

/** Ends every session in the cookies, those of magic links included, first in this browser and then at the service. */
export function endStoredSessions(deps: Deps): void {
  const tokens = [...storedTokens(deps), ...takeMagicLinks(deps)];
  clearSession(deps);
  clearSetup(deps);
  endAtService(deps, tokens);
}
