import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The results of a module: those that certification accepts, and that it does not apply. */
export type Result = 'passed' | 'warning' | 'review' | 'skipped' | 'not applicable';

const page = readFileSync(path.join(__dirname, '../../../../docs/openid-certification.md'), 'utf8');

/** The modules of a profile on the page, by their names, with their results. */
export function documentedResults(profile: string): Readonly<Record<string, string>> {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${profile}\n`)) ?? '';
  const entries = section.split(/^- /m).slice(1);
  return Object.fromEntries(
    entries.flatMap((entry) =>
      Array.from(entry.matchAll(/`((?:oidcc|fapi2)-[\w-]+)`/g), ([, name = '']) => [
        name,
        entry.split(':')[0] ?? '',
      ]),
    ),
  );
}
