import * as v from 'valibot';

/** What a navigation may carry to the screen it leads to. Never a secret: the browser writes it to disk. */
export interface RouteState {
  /** Shown by `/login` in its error dialog (specification §4, login flow 8). */
  readonly lockoutMessage?: string | undefined;
  /** The person has pressed the button of a one-time link that leads on to another one (decisions §9). */
  readonly linkOpened?: boolean | undefined;
}

const schema = v.object({ lockoutMessage: v.optional(v.string()), linkOpened: v.optional(v.boolean()) });

/** Reads `history.state`, which anybody may have written; what does not fit is not there. */
export function decodeRouteState(state: unknown): RouteState {
  const result = v.safeParse(schema, state);
  return result.success ? result.output : {};
}
