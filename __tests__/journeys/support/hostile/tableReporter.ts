import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import * as v from 'valibot';
import { faults } from './faults';

/** Annotation with which a test passes its row on: only annotations reach every reporter. */
export const rowAnnotation = 'hostile answers';

const rowSchema = v.object({ name: v.string(), marks: v.array(v.string()) });

/** The results of one call, a mark for each fault: `✓`, `✗`, or `·` where it was not tried. */
export type Row = v.InferOutput<typeof rowSchema>;

/** Prints the table of calls and faults once, at the end of a run that produced rows for it. */
export default class TableReporter implements Reporter {
  private readonly rows: Row[] = [];

  onTestEnd(_test: TestCase, { annotations }: TestResult): void {
    for (const { type, description } of annotations) {
      if (type === rowAnnotation) this.rows.push(v.parse(rowSchema, JSON.parse(description ?? 'null')));
    }
  }

  onEnd(): void {
    if (this.rows.length > 0) process.stdout.write(`\n${table(this.rows)}\n`);
  }
}

function table(rows: readonly Row[]): string {
  const first = Math.max(...rows.map(({ name }) => name.length));
  const heads = faults.map(({ name }) => name);
  const line = (name: string, cells: readonly string[]): string =>
    [name.padEnd(first), ...cells.map((cell, at) => cell.padStart(heads[at]?.length ?? 1))]
      .join('  ')
      .trimEnd();
  const sorted = [...rows].sort((one, other) => one.name.localeCompare(other.name, 'en'));
  return [line('', heads), ...sorted.map(({ name, marks }) => line(name, marks))].join('\n');
}
