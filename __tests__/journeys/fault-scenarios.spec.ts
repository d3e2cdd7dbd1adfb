import type { TestInfo } from '@playwright/test';
import { faults, rightResponse, type Fault } from './support/faultScenarios/faults';
import { linkScenarios } from './support/faultScenarios/linkScenarios';
import {
  expectOverAtTheEnd,
  expectRenewed,
  isRefusal,
  openWithOldToken,
  applyRefreshFault,
} from './support/faultScenarios/refresh';
import { setupScenarios } from './support/faultScenarios/setupScenarios';
import { signedInScenarios } from './support/faultScenarios/signedInScenarios';
import { signInScenarios } from './support/faultScenarios/signInScenarios';
import { reopen } from './support/faultScenarios/scenario';
import { applyFault } from './support/faultScenarios/applyFault';
import { test } from './support/faultScenarios/test';
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
    test(`${scenario.name}: the page shows one error, and can be used again`, async ({
      fixtures,
    }, testInfo) => {
      const row = {
        name: scenario.name,
        open: async () => {
          await reopen(fixtures, scenario);
        },
        meet: async (fault: Fault) => {
          await applyFault(fixtures, scenario, fault);
        },
        ends: (fault: Fault) => scenario.outcome(fault) === 'succeeds',
      };
      await applyAllFaults(row, testInfo);
      if (scenario.expectNextScreen) await applyFault(fixtures, scenario, rightResponse, 'succeeds');
    });
  }

  test('auth/v1/refresh: a rejection ends the session, and nothing else does before the token expires', async ({
    fixtures,
  }, testInfo) => {
    const open = async (): Promise<void> => {
      await reopen(fixtures, { open: openWithOldToken });
    };
    const meet = async (fault: Fault): Promise<void> => {
      await applyRefreshFault(fixtures, fault);
    };
    await applyAllFaults({ name: 'auth/v1/refresh', open, meet, ends: isRefusal }, testInfo);
    await open();
    await expectRenewed(fixtures);
    await open();
    for (const fault of faults.filter(({ name }) => name === '500')) await meet(fault);
    await expectOverAtTheEnd(fixtures);
  });
});
