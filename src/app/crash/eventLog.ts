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
      const action = dispatched as UnknownAction;
      // DevTools dispatches these actions, and they do not change the state.
      if (action.type.startsWith('devTools/')) return next(action);
      // A countdown would push all other events out.
      if (events.at(-1)?.action.type === action.type && replaces(action)) events.pop();
      events.push({ at: now(), action });
      for (const { action: oldest } of events.splice(0, events.length - longest))
        start = reducer(start, oldest);
      return next(action);
    },
  };
}

/** Whether an action leaves nothing of a former one of its type, which was the last event. */
const replaces = ({ meta }: UnknownAction): boolean =>
  (meta as { replaces?: true } | undefined)?.replaces === true;

/** What a crash and 'Copy details' use. Without it, crashes are not reported and 'Copy details' is not shown. */
export interface Support {
  readonly log: Pick<EventLog<unknown>, 'start' | 'events'>;
  readonly copy: Clipboard['copy'];
  /** Reports an error that rendering threw (`reportCrash.ts`). */
  readonly report: (where: string, error: unknown) => void;
}

export const SupportContext = createContext<Support | null>(null);
