import { expect, type Page } from '@playwright/test';
import { pauseClock } from '../pauseClock';
import type { Fault } from './faults';
import type { ScenarioFixtures, Scenario } from './scenario';

/** Longer than the timeout of any call, ms. */
const patienceMs = 16_000;

/** Time between two polls of something that arrives within milliseconds, ms. */
export const intervals = [10, 20, 50];

/** Applies one fault to the call of a scenario, whose screen is open, and checks the result by docs/behaviour.md#errors. */
export async function applyFault(
  fixtures: ScenarioFixtures,
  scenario: Scenario,
  fault: Fault,
  outcome = scenario.outcome(fault),
): Promise<void> {
  const { page, service, warnings } = fixtures;
  warnings.length = 0;
  const applied = service.applyFault(scenario.call, fault);
  await scenario.press(fixtures);
  await expect.poll(applied.count, { message: 'the call is made', intervals }).toBe(1);
  if (outcome === 'succeeds' && scenario.nextScreenIsBrief) await pauseClock(page);
  applied.release();
  if (fault.name === 'none') await page.clock.fastForward(patienceMs);
  if (outcome === 'succeeds') await scenario.expectNextScreen?.(fixtures);
  else await scenario.expectError(fixtures, outcome.says, fault);
  await expectHarmless(page);
  expect(applied.count(), 'calls for one press').toBe(1);
}

/** The page is not blank afterwards, and nothing of the answer has become part of it. */
export async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    isBlank: document.body.innerText.trim() === '',
    ran: '__ran' in window,
    pictures: document.querySelectorAll('img[src="x"]').length,
  }));
  expect(found, 'what the answer did to the page').toEqual({ isBlank: false, ran: false, pictures: 0 });
}
