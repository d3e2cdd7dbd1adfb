import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import * as v from 'valibot';

/** Annotation with which a test says what a password manager did on a screen: only annotations reach every reporter. */
export const managerAnnotation = 'password manager';

const cellSchema = v.object({ screen: v.string(), client: v.string(), does: v.string() });
export type Cell = v.InferOutput<typeof cellSchema>;

/** Prints the table of screens and password managers at the end of a run that tried them. */
export default class ManagersReporter implements Reporter {
  private readonly cells: Cell[] = [];

  onTestEnd(_test: TestCase, { annotations }: TestResult): void {
    for (const { type, description } of annotations) {
      if (type === managerAnnotation) this.cells.push(v.parse(cellSchema, JSON.parse(description ?? 'null')));
    }
  }

  onEnd(): void {
    if (this.cells.length > 0) process.stdout.write(`\n${table(this.cells)}\n`);
  }
}

function table(cells: readonly Cell[]): string {
  const clients = [...new Set(cells.map(({ client }) => client))];
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`;
  const rows = [...new Set(cells.map(({ screen }) => screen))].map((screen) => [
    screen,
    ...clients.map(
      (client) => cells.find((cell) => cell.screen === screen && cell.client === client)?.does ?? 'failed',
    ),
  ]);
  const heads = ['screen', ...clients];
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
