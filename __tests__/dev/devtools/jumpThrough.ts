import { recording } from '../../support/devToolsRecorder';
import { ActionCreators } from '@redux-devtools/instrument';
import fc from 'fast-check';
import { settle } from '../../support/openApp';
import type { Drive, Journey } from './journeys';
import type { AppWithDevTools } from './openWithDevTools';

/** A line of the table. */
export interface JumpReport {
  readonly actions: number;
  readonly jumps: number;
  /** Jumps after which the screen, or the address in the bar, was another than it had been live. */
  readonly differing: readonly string[];
  /** What jumps did besides rendering. */
  readonly effects: readonly string[];
}

/** Numbers below `limit`, always the same. */
const anyOf = (limit: number, count: number, seed: number): readonly number[] =>
  fc.sample(fc.nat(limit - 1), { numRuns: count, seed });

/** Jumps to every event, backwards and forwards and then at random, and to the end. */
export async function jumpThrough(tab: AppWithDevTools, randomJumps: number): Promise<JumpReport> {
  const ids = recording.ids();
  const every = ids.map((_id, index) => index);
  const way = [...every.toReversed(), ...every, ...anyOf(ids.length, randomJumps, 13), ids.length - 1];
  const differing: string[] = [];
  const before = traces(tab);
  const focused = document.activeElement;
  for (const index of way) {
    recording.jumpTo(index);
    const isSame = tab.screen() === tab.drawn.get(ids[index] ?? -1);
    if (!isSame || !isRightAddress(tab)) differing.push(nameOf(index));
    if (document.activeElement !== focused && document.activeElement !== document.body)
      differing.push(`${nameOf(index)}: focus`);
  }
  // What comes late: a screen that was still being loaded, a timer of no delay.
  await settle();
  const effects = Object.entries(traces(tab)).filter(([name, value]) => value !== before[name]);
  return {
    actions: ids.length,
    jumps: way.length,
    differing,
    effects: effects.map(([name]) => name),
  };
}

function nameOf(index: number): string {
  const { type } = recording.steps()[index]?.action as { readonly type: string };
  return `${String(index)} ${type}`;
}

/** The bar shows the present's own address at the present's place, and what the store holds of another one. */
function isRightAddress({ deps, present, shown }: AppWithDevTools): boolean {
  const bar = window.location.pathname + window.location.search + window.location.hash;
  const { key, pathname, search } = shown().page.location;
  return bar === (key === present().page.location.key ? deps.navigation.address() : pathname + search);
}

/** Whatever a jump must not change. */
function traces({ calls, deps, effects, present }: AppWithDevTools): Record<string, unknown> {
  return {
    ...effects(),
    calls: calls.length,
    cookies: JSON.stringify(deps.cookies.contents()),
    address: deps.navigation.address(),
    entries: window.history.length,
    events: recording.steps().length,
    present: present(),
  };
}

const imported = [{ type: 'session/sessionAbsent' }, { type: 'signIn/signInStopped' }];

/** What a user of DevTools may do between two events, some of it not offered there. */
const disturbances: readonly (() => void)[] = [
  () => recording.rewrite(ActionCreators.toggleAction(recording.ids().at(-1) ?? 0)),
  () => recording.rewrite(ActionCreators.commit()),
  () => recording.rewrite(ActionCreators.reset()),
  () => recording.rewrite(ActionCreators.rollback()),
  () => recording.rewrite(ActionCreators.importState(imported)),
];

/** The journey, while its log is jumped in, and rewritten, between and during its steps; in the end the present is shown. */
export async function disturb(tab: AppWithDevTools, journey: Journey): Promise<void> {
  const chances = anyOf(1000, 500, 31)[Symbol.iterator]();
  const chance = (limit: number) => (chances.next().value ?? 0) % limit;
  const trouble = () => {
    recording.jumpTo(chance(recording.ids().length));
    tab.screen();
    // As often as not the past goes on being shown.
    if (chance(3) === 0) disturbances[chance(disturbances.length)]?.();
    tab.screen();
    if (chance(2) === 0) recording.jumpToEnd();
  };
  const { drive } = tab;
  const troubled: Drive = {
    ...drive,
    act: async (action) => {
      trouble();
      await drive.act(action);
      trouble();
    },
    confirm: async () => {
      trouble();
      await drive.confirm();
    },
    happen: async (what) => {
      trouble();
      await drive.happen(what);
    },
    pass: async (ms) => {
      trouble();
      await drive.pass(Math.floor(ms / 2));
      trouble();
      await drive.pass(ms - Math.floor(ms / 2));
    },
  };
  await journey.run(troubled);
  recording.jumpToEnd();
}

/** What a journey came to: each call of a port, the timers, the last state and screen. */
export async function outcomeOf(tab: AppWithDevTools, go: (tab: AppWithDevTools) => Promise<void>) {
  try {
    await go(tab);
    const { calls, effects, screen, shown } = tab;
    return { calls, timers: effects().timers, state: shown(), screen: screen() };
  } finally {
    tab.close();
  }
}
