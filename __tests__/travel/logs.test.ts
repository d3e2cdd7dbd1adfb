import { recording } from '../support/devToolsRecorder';
import { readFileSync, writeFileSync } from 'node:fs';
import { now } from '../architecture/markedSecrets';
import { journeys } from './journeys';
import { loadEveryScreen, openTravelled } from './openTravelled';

const page = 'docs/time-travel.md';

beforeAll(loadEveryScreen);
beforeEach(() => jest.useFakeTimers({ now }));
afterEach(() => jest.useRealTimers());

interface Logged {
  readonly type: string;
  readonly meta?: { readonly cause: string };
}

/** The log as DevTools lists it: seconds since the page was opened, cause, event. */
async function logOf(name: string): Promise<string> {
  const journey = journeys[name];
  if (!journey) throw new Error(`There is no journey '${name}'`);
  const tab = await openTravelled(journey, { devTools: true });
  await journey.run(tab.drive);
  tab.close();
  return recording
    .steps()
    .slice(1)
    .map(({ action, at }) => {
      const { type, meta } = action as Logged;
      const seconds = ((at - now) / 1000).toFixed(1).padStart(7);
      return `${seconds} s  ${(meta?.cause ?? '').padEnd(15)}  ${type}`;
    })
    .join('\n');
}

const marks = /<!-- log: (.*) -->\n(?:\n```\n[^]*?\n```\n)?/g;

it('the page shows the logs as they are', async () => {
  const text = readFileSync(page, 'utf8');
  const names = [...text.matchAll(marks)].map(([, name = '']) => name);
  expect(names).toHaveLength(4);
  const logs: Record<string, string> = {};
  for (const name of names) logs[name] = await logOf(name);
  const written = text.replace(
    marks,
    (_mark, name: string) => `<!-- log: ${name} -->\n\n\`\`\`\n${logs[name] ?? ''}\n\`\`\`\n`,
  );
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, written);
  expect(readFileSync(page, 'utf8')).toBe(written);
});
