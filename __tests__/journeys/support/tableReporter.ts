import type { TestInfo } from '@playwright/test';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import * as v from 'valibot';

const annotation = 'cells of a table';

const cellsSchema = v.object({ row: v.string(), cells: v.record(v.string(), v.string()) });

/** A row of a table, or a part of one: the heads of columns, with what is to be printed below them. */
type Cells = v.InferOutput<typeof cellsSchema>;

/** Adds a row, or a part of one, for the table of the run: only annotations reach every reporter. */
export function noteCells({ annotations }: TestInfo, noted: Cells): void {
  annotations.push({ type: annotation, description: JSON.stringify(noted) });
}

/** Prints a table of what the tests of a run noted, for each file that noted something, at its end. */
export default class TableReporter implements Reporter {
  private readonly tables = new Map<string, Cells[]>();

  onTestEnd({ location }: TestCase, { annotations }: TestResult): void {
    for (const { type, description } of annotations) {
      if (type !== annotation) continue;
      const noted = v.parse(cellsSchema, JSON.parse(description ?? 'null'));
      this.tables.set(location.file, [...(this.tables.get(location.file) ?? []), noted]);
    }
  }

  onEnd(): void {
    for (const noted of this.tables.values()) process.stdout.write(`\n${table(noted)}\n`);
  }
}

function table(noted: readonly Cells[]): string {
  const heads = [...new Set(noted.flatMap(({ cells }) => Object.keys(cells)))];
  const names = [...new Set(noted.map(({ row }) => row))];
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  const rows = names.map((name) => {
    const cells = new Map(noted.flatMap((one) => (one.row === name ? Object.entries(one.cells) : [])));
    return [name, ...heads.map((head) => cells.get(head) ?? 'failed')];
  });
  return [line(['', ...heads]), line(['', ...heads].map(() => '---')), ...rows.map(line)].join('\n');
}
