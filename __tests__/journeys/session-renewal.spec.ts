import { cookieName } from './support/familyCookies';
import { holdRequests } from './support/holdRequests';
import { pauseClock } from './support/pauseClock';
import { users } from './support/users';
import { expectSignedIn, openTabs, refreshes } from './support/tabs';
import { expect, test } from './support/test';

/** More than half of a token's lifetime, and far from its end. */
const halfLife = '09:00';

test.describe('Two tabs', () => {
  test('with a token that is due refresh once together, and both continue', async ({
    context,
    page,
    environment,
    cookies,
    atSettings,
  }) => {
    await page.clock.install();
    await atSettings(users.several);
    const before = await cookies.read(cookieName.session);
    const [other = page] = await openTabs(context, 1);
    // The clocks stop, and the answer waits until both tabs have polled: the jump below is a clock skew to the application, and
    // a tab that finds the new token before its storage knows the new skew would refresh it once more.
    await pauseClock(page);
    const release = await holdRequests(context, '**/auth/v1/refresh');
    await page.clock.fastForward(halfLife);
    await page.clock.runFor(200);
    release();
    // A tab that is held up while it takes the lease makes no call: its next poll does.
    await expect
      .poll(async () => {
        await page.clock.runFor(300);
        return await cookies.read(cookieName.session);
      })
      .not.toBe(before);
    const knowsSkew = () => Object.keys(localStorage).some((key) => key.endsWith('clock-skew'));
    for (const tab of [page, other]) await expect.poll(() => tab.evaluate(knowsSkew)).toBe(true);
    // The other tab polls again, and finds a new token.
    await page.clock.runFor('00:10');
    expect((await refreshes(environment)).map(({ status }) => status)).toEqual([200]);
    for (const tab of [page, other]) await expectSignedIn(tab);
  });
});
