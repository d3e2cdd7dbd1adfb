import '../../support/productionReact';
import type { VaultContents } from '@shared/ports/vault';
import { recording } from '../../support/devToolsRecorder';
import { now, secrets } from './markedSecrets';
import { findLeaks } from '../../support/findLeaks';
import { everyJourney } from './everyJourney';
import { homes } from './journeys';
import { loadEveryScreen, openWithDevTools, type AppWithDevTools, type PortCall } from './openWithDevTools';
import { jumpThrough, type JumpReport } from './jumpThrough';

const isAll = process.env['TEST_ALL'] === '1';
const randomJumps = isAll ? 10_000 : 100;

// Ten thousand jumps take half a minute.
if (isAll) jest.setTimeout(600_000);

beforeAll(loadEveryScreen);
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

/** The secrets that were written to cookies. */
const kept = new Set<string>();

const table: Record<string, object> = {};
afterAll(() => {
  if (isAll) console.table(table);
});

/** Names of the cookies that a text was ever written to. */
const cookiesWith = (text: string, { calls }: AppWithDevTools): readonly string[] =>
  calls.flatMap(([, name, given]) => {
    if (name !== 'cookies.write') return [];
    const [cookie, value] = JSON.parse(given) as readonly [string, string];
    return value.includes(text) ? [cookie] : [];
  });

const line = ({ actions, jumps, differing, effects }: JumpReport) => ({
  actions,
  jumps,
  differing: differing.length,
  effects: effects.length,
});

describe.each(Object.entries(everyJourney))('%s, in Redux DevTools', (name, journey) => {
  it('is shown again by every jump as it was, which does nothing else; and holds no secret', async () => {
    const tab = await openWithDevTools(journey, { devTools: true });
    await journey.run(tab.drive);
    expect(tab.deps.navigation.address()).toBe(journey.end);
    const report = await jumpThrough(tab, randomJumps);
    table[name] = line(report);
    tab.close();
    expect(report).toMatchObject({ differing: [], effects: [] });
    expect(findLeaks(tab.deps, Object.values(secrets))).toEqual(journey.goesOn ?? []);
    expect(recording.exported()).not.toMatch(/marked/i);
    for (const [secret, value] of Object.entries(secrets)) {
      const cookies = cookiesWith(value, tab);
      const home = homes[secret as keyof typeof secrets] ?? [];
      expect([secret, cookies.filter((name) => !home.includes(name))]).toEqual([secret, []]);
      if (cookies.length > 0) kept.add(secret);
    }
    const stored = tab.calls.filter(([, name]) => /^storage\.\w+\.write$/.test(name));
    const isSecret = ([, , given]: PortCall) =>
      Object.values(secrets).some((secret) => given.includes(secret));
    expect(stored.filter(isSecret)).toEqual([]);
    for (const step of [
      'challenge',
      'verification',
      'authenticatorKey',
      'apiInvite',
      'recoveryCodes',
    ] as (keyof VaultContents)[])
      expect(tab.deps.vault.get(step)).toBeUndefined();
  });
});

it('the journeys write each of these secrets to its cookie', () => {
  expect([...kept].sort()).toEqual(Object.keys(homes).sort());
});
