import { failedRequest } from '../pageFaults';
import { expect, test as base } from '../test';
import { FaultyService } from './FaultyService';
import type { ScenarioFixtures } from './scenario';

/** A journey with the test's own service, in a page whose clock can be advanced. */
export const test = base.extend<{ readonly fixtures: ScenarioFixtures }>({
  fixtures: async (
    { page, environment, cookies, login, settings, codes, twoStep, passwords, openProvider, pageFaults },
    use,
  ) => {
    pageFaults.allow(failedRequest(''));
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await page.clock.install();
    const service = await FaultyService.inPlaceOf(environment, page);
    const pages = { page, login, settings, codes, twoStep, passwords };
    await use({ ...pages, cookies, openProvider, service, warnings });
    expect(service.unexpectedCalls, 'calls without a prepared response').toEqual([]);
  },
});

export { expect };
