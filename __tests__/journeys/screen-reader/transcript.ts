import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from './orca';

/** What was done, and what was heard after it. */
export interface Step {
  readonly did: string;
  readonly heard: readonly string[];
}

const file = path.join(__dirname, 'transcript.md');
const browsers = ['chromium', 'firefox'] as const;
const head = '| Key | Chromium | Firefox |\n| --- | --- | --- |';
/** Said by Orca about itself, about where it is, or about a page that loads. Whether it is said depends on the order of events. */
const asides =
  /^(?:(?:Focus|Browse) mode|(?:Finished )?[Ll]oading.*|Page has .*|main content|form|leaving .*|panel\.|invalid entry\.?|statusbar\.|opens menu|Copy details push button\.|.)$/u;

/** Said of the title of a screen only if Orca does not lag behind. */
const role = /\.? heading level 1\.$/u;

/**
 * Each sentence once. Orca reads a dialog a different number of times, and less or more of it, depending on which of its events
 * arrives first: its title, its message and its first button remain.
 */
export function tidy(heard: readonly string[]): readonly string[] {
  const once = [...new Set(heard.map((said) => said.replace(role, '.')))].filter(
    (said) => !asides.test(said),
  );
  const titles = once.flatMap((said) => /^(.*) heading level 2\.$/u.exec(said)?.[1] ?? []);
  const withoutTitles = once.filter((said) =>
    titles.every(
      (title) =>
        said === `${title} heading level 2.` || (said !== `alert ${title}.` && !said.startsWith(`${title} `)),
    ),
  );
  return withoutTitles.filter(
    (said) => !withoutTitles.some((other) => other !== said && other.endsWith(said)),
  );
}

/** The written transcript of one journey, as this browser's column has it. */
export function readTranscript(journey: string, browser: Browser): readonly Step[] {
  return (rows().get(journey) ?? []).map(({ did, heard }) => ({
    did,
    heard: (heard[browser] ?? '').split('<br>').filter(Boolean),
  }));
}

/** With `UPDATE_TRANSCRIPT=1`: replaces this browser's column of one journey. */
export function writeTranscript(journey: string, browser: Browser, steps: readonly Step[]): void {
  const all = rows();
  const former = all.get(journey) ?? [];
  all.set(
    journey,
    steps.map(({ did, heard }, index) => ({
      did,
      heard: { ...former[index]?.heard, [browser]: heard.join('<br>') },
    })),
  );
  const tables = Array.from(all, ([title, table]) => {
    const lines = table.map(
      ({ did, heard }) => `| ${[did, ...browsers.map((name) => heard[name] ?? '')].join(' | ')} |`,
    );
    return `\n## ${title}\n\n${[head, ...lines].join('\n')}\n`;
  });
  writeFileSync(file, `${introduction()}${tables.join('')}`);
}

interface Row {
  readonly did: string;
  readonly heard: Partial<Record<Browser, string>>;
}

const introduction = (): string => readFileSync(file, 'utf8').split('\n## ')[0] ?? '';

function rows(): Map<string, readonly Row[]> {
  const sections = readFileSync(file, 'utf8').split('\n## ').slice(1);
  return new Map(
    sections.map((section) => {
      const lines = section.split('\n').filter((line) => line.startsWith('| '));
      const cells = lines.slice(2).map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
      const table = cells.map(([did = '', chromium = '', firefox = '']) => ({
        did,
        heard: { chromium, firefox },
      }));
      return [section.split('\n')[0] ?? '', table];
    }),
  );
}
