import * as v from 'valibot';

/** What a navigation may carry to the screen it leads to. Never a secret: the browser writes it to disk. */
export interface RouteState {
  /** Shown by `/login` in its error dialog (docs/behaviour.md#entering-the-login-page). */
  readonly lockoutMessage?: string | undefined;
  /** The user has pressed the button of a one-time link that leads on to another one (docs/behaviour.md#one-time-links). */
  readonly linkOpened?: boolean | undefined;
}

const routeState = v.object({
  lockoutMessage: v.optional(v.string()),
  linkOpened: v.optional(v.boolean()),
});

/** Reads `history.state`, which any script may have written; what does not fit is left out. */
export function decodeRouteState(state: unknown): RouteState {
  const result = v.safeParse(routeState, state);
  return result.success ? result.output : {};
}
