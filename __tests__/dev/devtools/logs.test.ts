import '../../support/productionReact';
import { recording } from '../../support/devToolsRecorder';
import { readFileSync, writeFileSync } from 'node:fs';
import { now } from './markedSecrets';
import { journeys, type Drive } from './journeys';
import { loadEveryScreen, openWithDevTools } from './openWithDevTools';

const page = 'README.md';

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
async function logOf(name: string): Promise<string> {
  const journey = journeys[name];
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
    })
    .join('\n');
}

const marks = /<!-- log: (.*) -->\n(?:\n```\n[^]*?\n```\n)?/g;

it('the README shows its log as it is', async () => {
  const text = readFileSync(page, 'utf8');
  const names = [...text.matchAll(marks)].map(([, name = '']) => name);
  expect(names).toHaveLength(1);
  const logs: Record<string, string> = {};
  for (const name of names) logs[name] = await logOf(name);
  const written = text.replace(
    marks,
    (_mark, name: string) => `<!-- log: ${name} -->\n\n\`\`\`\n${logs[name] ?? ''}\n\`\`\`\n`,
  );
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, written);
  expect(readFileSync(page, 'utf8')).toBe(written);
});
