import { Gauge } from 'prom-client';
import type { ServiceContext } from '../core/context.ts';
import type { Capability } from '../capability.ts';
import { sessionBearer } from '../session/readBearer.ts';
import { readAccountVersion } from './accountVersion.ts';
import { createLiveEvents, type LiveEvents } from './liveEvents.ts';

export interface EventsContext extends ServiceContext {
  readonly liveEvents: LiveEvents;
}

/** Tells sessions that they have ended, or that their account has changed. */
export const events = {
  name: 'events',
  init: { isOn: true, summary: 'an ended session shows in every tab at once' },
  operations: {
    streamEvents: ({ liveEvents }, { bearer }) => Promise.resolve(liveEvents.open(sessionBearer(bearer))),
  },
  decorate: async ({ slots: { accountChanges: changes }, ...base }) => ({
    liveEvents: await createLiveEvents({ ...base, changes }),
  }),
  userAttributes: async ({ db, slots }, uid) => ({
    accountVersion: await readAccountVersion(db, uid, slots.accountChanges),
  }),
  metrics: (registry, { liveEvents }) => {
    new Gauge({
      name: 'vestibule_event_streams',
      help: 'Open streams of live events.',
      registers: [registry],
      collect() {
        this.set(liveEvents.count());
      },
    });
  },
  close: ({ liveEvents }) => liveEvents.close(),
} satisfies Capability<EventsContext>;
