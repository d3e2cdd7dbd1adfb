import { calls } from './support/faultScenarios/calls';
import { rightResponse, type Fault } from './support/faultScenarios/faults';
import { lateScreens, type LateScreen } from './support/faultScenarios/lateScreens';
import { reopen, type ScenarioFixtures } from './support/faultScenarios/scenario';
import { expect, test } from './support/faultScenarios/test';

const refused: Fault = {
  name: 'refused',
  status: 400,
  answer: () => ({
    status: 400,
    type: 'application/json',
    body: JSON.stringify({ error: { message: 'No longer of interest.' } }),
  }),
};

/** Longer than any delay after an answer: red boxes, a saved password. */
const afterwardsMs = 2000;

/** The state of the browser, and the address of the page. */
const traces = async ({ page }: ScenarioFixtures): Promise<unknown> => ({
  url: page.url(),
  cookies: await page.context().cookies(),
});

async function answerLate(fixtures: ScenarioFixtures, screen: LateScreen, answer: Fault): Promise<void> {
  const { page, service } = fixtures;
  const applied = service.applyFault(screen.call, answer);
  await screen.press(fixtures);
  await expect.poll(applied.count).toBe(1);
  await screen.leave(fixtures);
  await expect(page).toHaveURL(screen.at);
  await expect(page.getByRole('main')).toHaveText(/\w/);
  const before = await traces(fixtures);
  const answered = page.waitForEvent('requestfinished', (request) =>
    screen.call.path.test(new URL(request.url()).pathname),
  );
  applied.release();
  await answered;
  await page.clock.runFor(afterwardsMs);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  expect(await traces(fixtures)).toEqual(before);
  expect(applied.count()).toBe(1);
}

test.describe('An answer that arrives after its screen was left', { tag: '@long' }, () => {
  for (const screen of lateScreens) {
    test(`of ${screen.name} has no effect, right or wrong`, async ({ fixtures }) => {
      let windows = 0;
      fixtures.page.on('popup', () => (windows += 1));
      for (const answer of [rightResponse, refused]) {
        await reopen(fixtures, screen);
        // Some of them are left for the settings.
        fixtures.service.prepare(calls.attributes);
        fixtures.service.prepare(calls.authyInfo);
        await answerLate(fixtures, screen, answer);
      }
      expect(windows).toBe(0);
    });
  }
});
