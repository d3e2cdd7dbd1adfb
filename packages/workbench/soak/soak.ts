import type { SessionEnd } from '@features/session';
import { createFakeCookieJar } from '@vestibule/client/testing/fakeCookieJar';
import { createFakeBroadcast } from '../../../__tests__/support/fakePopups';
import { createFakeStorage } from '../../../__tests__/support/fakePorts';
import { openKitTab } from './kitModel';
import { sendRefresh, type CallCounts, type Losses, type NetworkState } from './networkModel';
import { planFaults, type LocalEnvironment } from './plan';
import { seeded } from '@vestibule/contract/testing/seeded';
import { createServiceModel } from './serviceModel';
import { openTab, type Origin, type Tab, type TabModel } from './tabModel';
import { startVirtualTime, type VirtualTime } from './virtualTime';

/** A scenario. */
export interface Scenario {
  readonly name: string;
  readonly seed: number;
  readonly tabs: number;
  readonly hours: number;
  /** How far the computer's clock is ahead, ms. */
  readonly skewMs?: number;
  /** The clock is changed by this much at half time, ms. */
  readonly clockSetByMs?: number;
  /** The tabs have no lock manager. */
  readonly byLease?: boolean;
  /** The network has no faults. */
  readonly withoutFaults?: boolean;
  readonly losses?: Losses;
  /** How long the service answers a used token again, s; 10 unless given. */
  readonly graceSeconds?: number;
  /** What the configuration says of it, s; the real value unless given. */
  readonly saidGraceSeconds?: number;
}

/** The result. */
export interface Figures extends CallCounts {
  /** Sessions that ended although no user signed out. */
  readonly forcedSignOuts: number;
  /** Sessions that were restored after a user signed out. */
  readonly zombies: number;
  readonly signOuts: number;
  /** Internal errors of the sagas. */
  readonly crashes: number;
  /** Actions of all tabs of the page together. */
  readonly actions: number;
}

/** Lifetime of an access token, s. */
const lifeSeconds = 900;

const start = Date.UTC(2026, 10, 2, 8);
const sessionCookie = 'payments-test-session';

/** Simulates a week, or less, of one user's browser in virtual time. The same scenario gives the same result. */
export async function soak(scenario: Scenario): Promise<Figures> {
  const clock = { skewMs: scenario.skewMs ?? 0 };
  // What a tab fetches after a sign-in takes no virtual time.
  const settle = () => import('@features/session/refresh/polling');
  const time = startVirtualTime(start, (now) => now + clock.skewMs, settle);
  const { random } = Math;
  Math.random = seeded(scenario.seed + 1).next;
  try {
    return await play(scenario, time, clock);
  } finally {
    Math.random = random;
    time.release();
  }
}

const newOrigin = (): Origin => ({
  heldLocks: new Set(),
  broadcast: createFakeBroadcast(),
  storage: createFakeStorage(),
});

async function play(scenario: Scenario, time: VirtualTime, clock: { skewMs: number }): Promise<Figures> {
  const chance = seeded(scenario.seed);
  const { graceSeconds = 10, saidGraceSeconds = graceSeconds } = scenario;
  const service = createServiceModel(lifeSeconds, graceSeconds * 1000);
  const counts: CallCounts = { sent: 0, faulty: 0, lifetimes: 0 };
  const network: NetworkState = { isOnline: true, trouble: null };
  const losses =
    scenario.losses ??
    (scenario.withoutFaults ? { requests: 0, answers: 0 } : { requests: 0.01, answers: 0.02 });
  const jar = createFakeCookieJar();
  const tabs: Tab[] = [];
  const pages: TabModel[] = [];
  const received = new Set<string>();
  const outcome = { forcedSignOuts: 0, zombies: 0, signOuts: 0 };
  const onCall: (() => void)[] = [];

  const environment: LocalEnvironment = {
    time,
    chance,
    network,
    clock,
    tabs,
    isSignedIn: true,
    onNextCall: (run) => void onCall.push(run),
    signIn: () => {
      if (time.isAsleep()) {
        time.after(60_000, null, environment.signIn);
        return;
      }
      environment.isSignedIn = true;
      chance.pick(pages).signIn(service.signIn(time.now()));
    },
    signOut: (tab) => {
      if (!environment.isSignedIn || time.isAsleep()) return;
      environment.isSignedIn = false;
      outcome.signOuts += 1;
      tab.signOut();
      time.after(chance.between(30_000, 300_000), null, environment.signIn);
    },
  };
  const onEnd = (reason: SessionEnd) => {
    if (!environment.isSignedIn || reason === 'signedOut') return;
    environment.isSignedIn = false;
    outcome.forcedSignOuts += 1;
    time.after(60_000, null, environment.signIn);
  };
  const shared = {
    time,
    chance,
    jar: {
      ...jar,
      write: (...args: Parameters<typeof jar.write>) => {
        if (args[0] === sessionCookie && !environment.isSignedIn) outcome.zombies += 1;
        return jar.write(...args);
      },
    },
    hasLocks: !scenario.byLease,
    graceSeconds: saidGraceSeconds,
    wallClock: () => Date.now(),
    sendRefresh: (...[owner, refresh, timing]: SendRefresh) =>
      sendRefresh(
        {
          time,
          service,
          chance,
          network,
          losses,
          counts,
          received,
          onCall: () => onCall.splice(0).forEach((run) => run()),
        },
        owner,
        refresh,
        timing,
      ),
  };
  // The login host, the supplier host and the host of an application: only the cookies are common.
  const [login, supplier, application] = [newOrigin(), newOrigin(), newOrigin()];
  for (let count = 0; count < scenario.tabs / 2; count += 1) {
    const page = openTab({ ...shared, ...(count % 2 === 0 ? login : supplier) }, onEnd);
    pages.push(page);
    tabs.push(page, openKitTab({ ...shared, ...([login, supplier][count % 3] ?? application) }, onEnd));
  }
  environment.signIn();
  const end = start + scenario.hours * 3_600_000;
  planFaults(environment, {
    end,
    withoutFaults: scenario.withoutFaults ?? false,
    clockSetByMs: scenario.clockSetByMs ?? 0,
  });
  await time.runUntil(end);
  for (const tab of tabs) tab.close();
  return {
    ...counts,
    ...outcome,
    crashes: pages.reduce((sum, tab) => sum + tab.crashes(), 0),
    actions: pages.reduce((sum, tab) => sum + tab.dispatched(), 0),
  };
}

type SendRefresh = Parameters<Parameters<typeof openTab>[0]['sendRefresh']>;
