import '../../support/productionReact';
import { recording } from '../../support/devToolsRecorder';
import { readFileSync } from 'node:fs';
import { now } from './markedSecrets';
import { coreJourneys, type Drive } from './journeys';
import { loadEveryScreen, openWithDevTools } from './openWithDevTools';

beforeAll(loadEveryScreen);
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

interface Logged {
  readonly type: string;
  readonly meta?: { readonly cause: string };
}

/** A person who takes two seconds for each thing, so that the times tell what was waited for. */
const unhurried = (drive: Drive): Drive => ({
  ...drive,
  act: async (action) => {
    await drive.pass(2000);
    await drive.act(action);
  },
  confirm: async () => {
    await drive.pass(2000);
    await drive.confirm();
  },
});

/** The log as DevTools lists it: seconds since the page was opened, cause, event. */
async function logOf(name: string): Promise<readonly string[]> {
  const journey = coreJourneys[name];
  if (!journey) throw new Error(`There is no journey '${name}'`);
  const tab = await openWithDevTools(journey, { devTools: true });
  await journey.run(unhurried(tab.drive));
  tab.close();
  return recording
    .steps()
    .slice(1)
    .map(({ action, at }) => {
      const { type, meta } = action as Logged;
      const seconds = ((at - now) / 1000).toFixed(1).padStart(5);
      return `${seconds} s  ${(meta?.cause ?? '').padEnd(15)}  ${type}`;
    });
}

it('the lines of the README stand in the log in their order', async () => {
  const shown: readonly string[] = readFileSync('README.md', 'utf8').match(/^ *[\d.]+ s  .+$/gm) ?? [];
  expect(shown.length).toBeGreaterThan(0);
  const log = await logOf('a password');
  expect(log.filter((line) => shown.includes(line))).toEqual(shown);
});
