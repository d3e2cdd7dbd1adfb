import type { Middleware, Reducer, UnknownAction } from '@reduxjs/toolkit';
import type { Clipboard, Clock } from '@shared/ports/ports';
import { createContext } from 'react';

/** The highest number of events in the log. */
const longest = 100;

/** An event and its time in ms since the epoch. */
interface LoggedEvent {
  readonly at: number;
  readonly action: UnknownAction;
}

/** `isTick`: another second of a countdown. */
type Logged = UnknownAction & { readonly meta?: { readonly isTick?: true } };

/** The last events of this page, as the store saw them, for 'Copy details' (docs/behaviour.md#copy-details). */
export interface EventLog<State> {
  /** The state before the first event that is kept; `undefined`: the store's first. */
  readonly start: () => State | undefined;
  readonly events: readonly LoggedEvent[];
  /** Must come after the middleware that removes secrets. */
  readonly record: Middleware;
}

/** Makes an empty log. */
export function createEventLog<State>(reducer: Reducer<State>, now: Clock['now']): EventLog<State> {
  let start: State | undefined;
  const events: LoggedEvent[] = [];
  return {
    start: () => start,
    events,
    record: () => (next) => (dispatched) => {
      const action = dispatched as Logged;
      // Actions of DevTools do not change the state. Those of a countdown would leave no room for others.
      if (action.type.startsWith('devTools/') || action.meta?.isTick) return next(action);
      events.push({ at: now(), action });
      for (const { action: oldest } of events.splice(0, events.length - longest))
        start = reducer(start, oldest);
      return next(action);
    },
  };
}

/** What a crash and 'Copy details' use. Without it, crashes are not reported and 'Copy details' is not shown. */
export interface Support {
  readonly log: Pick<EventLog<unknown>, 'start' | 'events'>;
  readonly copy: Clipboard['copy'];
  /** Reports an error that rendering threw (`reportCrash.ts`). */
  readonly report: (where: string, error: unknown) => void;
}

export const SupportContext = createContext<Support | null>(null);
