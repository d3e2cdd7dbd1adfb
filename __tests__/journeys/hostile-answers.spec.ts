import type { TestInfo } from '@playwright/test';
import { faults, rightAnswer, type Fault } from './support/hostile/faults';
import { linkScenarios } from './support/hostile/linkScenarios';
import {
  expectOverAtTheEnd,
  expectRenewed,
  isRefusal,
  openWithOldToken,
  applyRefreshFault,
} from './support/hostile/refresh';
import { setupScenarios } from './support/hostile/setupScenarios';
import { signedInScenarios } from './support/hostile/signedInScenarios';
import { signInScenarios } from './support/hostile/signInScenarios';
import { reopen } from './support/hostile/stage';
import { applyFault } from './support/hostile/applyFault';
import { test } from './support/hostile/test';
import { noteCells } from './support/tableReporter';

/** The parts of one row of the table. */
interface RowOfFaults {
  readonly name: string;
  /** Opens the screen. */
  readonly open: () => Promise<void>;
  /** Applies one fault to the open screen. */
  readonly meet: (fault: Fault) => Promise<void>;
  /** Whether this fault ends the screen. */
  readonly ends: (fault: Fault) => boolean;
}

/** Applies every fault to the call, and continues after a failure, so that the table is complete. */
async function applyAllFaults(row: RowOfFaults, testInfo: TestInfo): Promise<void> {
  const marks: Record<string, string> = {};
  const failures: string[] = [];
  let isOpen = false;
  for (const fault of faults) {
    try {
      if (!isOpen) await row.open();
      await row.meet(fault);
      marks[fault.name] = '✓';
      isOpen = !row.ends(fault);
    } catch (error) {
      marks[fault.name] = '✗';
      failures.push(`${fault.name}: ${String(error)}`);
      isOpen = false;
    }
  }
  noteCells(testInfo, { row: row.name, cells: marks });
  if (failures.length > 0) throw new Error(failures.join('\n\n'));
}

// A recording of fourteen attempts in one page costs more than the attempts.
test.use({ trace: 'off' });

test.describe('With every kind of faulty answer', { tag: '@long' }, () => {
  test.beforeEach(() => {
    test.setTimeout(180_000);
  });

  for (const scenario of [...signInScenarios, ...linkScenarios, ...signedInScenarios, ...setupScenarios]) {
    test(`${scenario.name}: the page shows one error, and can be used again`, async ({ stage }, testInfo) => {
      const row = {
        name: scenario.name,
        open: async () => {
          await reopen(stage, scenario);
        },
        meet: async (fault: Fault) => {
          await applyFault(stage, scenario, fault);
        },
        ends: (fault: Fault) => scenario.outcome(fault) === 'succeeds',
      };
      await applyAllFaults(row, testInfo);
      if (scenario.expectNextScreen) await applyFault(stage, scenario, rightAnswer, 'succeeds');
    });
  }

  test('auth/v1/refresh: a rejection ends the session, and nothing else does before the token expires', async ({
    stage,
  }, testInfo) => {
    const open = async (): Promise<void> => {
      await reopen(stage, { open: openWithOldToken });
    };
    const meet = async (fault: Fault): Promise<void> => {
      await applyRefreshFault(stage, fault);
    };
    await applyAllFaults({ name: 'auth/v1/refresh', open, meet, ends: isRefusal }, testInfo);
    await open();
    await expectRenewed(stage);
    await open();
    for (const fault of faults.filter(({ name }) => name === '500')) await meet(fault);
    await expectOverAtTheEnd(stage);
  });
});
