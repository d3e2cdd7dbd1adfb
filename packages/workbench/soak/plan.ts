import type { NetworkState } from './networkModel';
import type { Seeded } from '@vestibule/contract/testing/seeded';
import type { Tab } from './tabModel';
import type { VirtualTime } from './virtualTime';

/** What the plan controls. */
export interface LocalEnvironment {
  readonly time: VirtualTime;
  readonly chance: Seeded;
  readonly network: NetworkState;
  readonly clock: { skewMs: number };
  readonly tabs: readonly Tab[];
  isSignedIn: boolean;
  readonly onNextCall: (run: () => void) => void;
  readonly signIn: () => void;
  readonly signOut: (tab: Tab) => void;
}

interface Plan {
  /** ms since the epoch. */
  readonly end: number;
  readonly withoutFaults: boolean;
  readonly clockSetByMs: number;
}

const minute = 60_000;
const hour = 60 * minute;

/** Everything that happens to the browser until the end, by the scenario's own random numbers. */
export function planFaults(environment: LocalEnvironment, { end, withoutFaults, clockSetByMs }: Plan): void {
  const { time, chance, clock } = environment;
  /** Repeats, after this interval each time. */
  const every = (min: number, max: number, happen: () => void) => {
    const again = () => {
      const ms = chance.between(min, max);
      if (time.now() + ms > end) return;
      time.after(ms, null, () => {
        // The user sleeps as well.
        if (!time.isAsleep()) happen();
        again();
      });
    };
    again();
  };
  look(environment);
  every(5 * minute, 40 * minute, () => look(environment));
  if (clockSetByMs !== 0)
    time.after((end - time.now()) / 2, null, () => {
      clock.skewMs += clockSetByMs;
    });
  if (withoutFaults) return;
  every(22 * hour, 26 * hour, () => sleep(environment, chance.between(7 * hour, 10 * hour)));
  every(3 * hour, 8 * hour, () => sleep(environment, chance.between(minute, 90 * minute)));
  every(4 * hour, 9 * hour, () => offline(environment, chance.between(5000, 30 * minute)));
  // Shorter than the second half of a token's lifetime: a longer outage ends the session, as it should.
  every(8 * hour, 16 * hour, () => trouble(environment, 503, chance.between(5000, 5 * minute)));
  every(12 * hour, 30 * hour, () => trouble(environment, 429, chance.between(5000, 3 * minute)));
  every(10 * hour, 14 * hour, () => environment.signOut(chance.pick(environment.tabs)));
  // Just while a refresh is pending, in this tab or another one.
  every(6 * hour, 12 * hour, () =>
    environment.onNextCall(() =>
      time.after(chance.between(0, 900), null, () => environment.signOut(chance.pick(environment.tabs))),
    ),
  );
}

/** The user switches to another tab. */
function look({ time, chance, tabs }: LocalEnvironment): void {
  if (time.isAsleep()) return;
  const seen = chance.pick(tabs);
  for (const tab of tabs) {
    if (tab === seen || tab.owner.hiddenSince !== null) continue;
    tab.owner.hiddenSince = time.now();
    tab.pageLife.emit('hidden');
  }
  seen.owner.hiddenSince = null;
  time.inTab(seen.owner, () => {
    seen.pageLife.emit('shown');
  });
}

/** The computer sleeps. Some computers notify the page on waking, some do not. */
function sleep(environment: LocalEnvironment, ms: number): void {
  const { time, chance, network, tabs } = environment;
  if (time.isAsleep()) return;
  time.sleep(ms);
  if (chance.happens(0.5)) return;
  // The network takes a moment to come back.
  time.after(ms + 1, null, () => {
    network.isOnline = false;
  });
  time.after(ms + chance.between(500, 5000), null, () => {
    network.isOnline = true;
    tellAll({ time, tabs }, 'online');
  });
}

function offline({ time, network, tabs }: LocalEnvironment, ms: number): void {
  network.isOnline = false;
  tellAll({ time, tabs }, 'offline');
  time.after(ms, null, () => {
    network.isOnline = true;
    tellAll({ time, tabs }, 'online');
  });
}

function trouble({ time, network }: LocalEnvironment, status: 503 | 429, ms: number): void {
  // A tab that comes back online with an expired token tries once, and a service that fails then ends the session, as it should.
  if (!network.isOnline) return;
  network.trouble = status;
  time.after(ms, null, () => {
    network.trouble = null;
  });
}

function tellAll({ time, tabs }: Pick<LocalEnvironment, 'time' | 'tabs'>, event: 'online' | 'offline'): void {
  if (time.isAsleep()) {
    time.after(60_000, null, () => tellAll({ time, tabs }, event));
    return;
  }
  for (const tab of tabs)
    time.inTab(tab.owner, () => {
      tab.pageLife.emit(event);
    });
}
