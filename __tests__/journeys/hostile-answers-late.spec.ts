import { calls } from './support/hostile/calls';
import { rightAnswer, type Fault } from './support/hostile/faults';
import { lateScreens, type LateScreen } from './support/hostile/lateScreens';
import { reopen, type Stage } from './support/hostile/stage';
import { expect, test } from './support/hostile/test';

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
const traces = async ({ page }: Stage): Promise<unknown> => ({
  url: page.url(),
  cookies: await page.context().cookies(),
});

async function answerLate(stage: Stage, screen: LateScreen, answer: Fault): Promise<void> {
  const { page, service } = stage;
  const struck = service.applyFault(screen.call, answer);
  await screen.press(stage);
  await expect.poll(struck.count).toBe(1);
  await screen.leave(stage);
  await expect(page).toHaveURL(screen.at);
  await expect(page.getByRole('main')).toHaveText(/\w/);
  const before = await traces(stage);
  const answered = page.waitForEvent('requestfinished', (request) =>
    screen.call.path.test(new URL(request.url()).pathname),
  );
  struck.release();
  await answered;
  await page.clock.runFor(afterwardsMs);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  expect(await traces(stage)).toEqual(before);
  expect(struck.count()).toBe(1);
}

test.describe('An answer that arrives after its screen was left', { tag: '@long' }, () => {
  for (const screen of lateScreens) {
    test(`of ${screen.name} has no effect, right or wrong`, async ({ stage }) => {
      let windows = 0;
      stage.page.on('popup', () => (windows += 1));
      for (const answer of [rightAnswer, refused]) {
        await reopen(stage, screen);
        // Some of them are left for the settings.
        stage.service.prepare(calls.attributes);
        stage.service.prepare(calls.authyInfo);
        await answerLate(stage, screen, answer);
      }
      expect(windows).toBe(0);
    });
  }
});
