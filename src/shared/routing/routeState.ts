/**
 * The state of a history entry, for the screen that it opens. It contains no secret, because the browser writes it to disk.
 */
export interface RouteState {
  /** Shown by `/login` in its error dialog (docs/behaviour.md#entering-the-login-page). */
  readonly lockoutMessage?: string | undefined;
  /** The user has pressed the button of a one-time link that leads on to another one (docs/behaviour.md#one-time-links). */
  readonly linkOpened?: boolean | undefined;
}

/** Reads `history.state`, which any script may have written. Fields of another form are left out. */
export function decodeRouteState(state: unknown): RouteState {
  const { lockoutMessage, linkOpened } = (state ?? {}) as Partial<Record<keyof RouteState, unknown>>;
  return {
    ...(typeof lockoutMessage === 'string' && { lockoutMessage }),
    ...(typeof linkOpened === 'boolean' && { linkOpened }),
  };
}
