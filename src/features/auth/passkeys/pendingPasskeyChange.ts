import type { PasskeyChange, PasskeysState } from './passkeys.slice';

/** The change that identity is being verified for; `null`: none. Apart from the slice, which not every screen has. */
export function selectPendingPasskeyChange(state: {
  readonly passkeys?: PasskeysState;
}): PasskeyChange | null {
  const task = state.passkeys?.task;
  return task?.phase === 'verifying' ? task.change : null;
}
