import type { ComponentType } from 'react';
import type { SagaGenerator } from 'typed-redux-saga';
import type { Deps } from '../deps';
import * as v from 'valibot';

/** A stay at an address: from entering it until another route, or another parameter of this one, is entered. */
export interface Visit {
  /** The pattern's parameters as the address has them, percent-encoded; a link's id is not masked. */
  readonly params: Readonly<Record<string, string>>;
}

/** What a route leads to: a screen and its saga. */
export interface ScreenModule {
  /** The view, drawn from the store. It has `load` if it is in a chunk of its own. */
  readonly Screen: ComponentType & { readonly load?: () => Promise<unknown> };
  /** Everything that the screen starts; cancelled when the visit ends. */
  readonly saga?: (deps: Deps, visit: Visit) => SagaGenerator<void>;
}

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
