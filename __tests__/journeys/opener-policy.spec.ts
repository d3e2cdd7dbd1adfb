import { expect, test } from './support/test';

test('a strange opener keeps no hold of a window that another spelling of the return point leads to /login', async ({
  page,
  context,
  world,
  pageFaults,
}) => {
  // The stranger's page tries to frame ours.
  pageFaults.allow(/violates the following Content Security Policy directive: "frame-ancestors/);
  await page.goto(`${world.origin('stranger')}/`);
  for (const path of [
    '/oauth-redirect/x',
    '/oauth-redirect/',
    '/OAUTH-REDIRECT',
    '/%6fauth-redirect',
    '//oauth-redirect',
  ]) {
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate(
        (address) => {
          Object.assign(window, { held: window.open(address) });
        },
        world.origin('app') + path,
      ),
    ]);
    await expect(opened, path).toHaveURL(`${world.origin('app')}/login`);
    expect(await opened.evaluate(() => window.opener as unknown), path).toBeNull();
    expect(await page.evaluate(() => (window as unknown as { held: Window }).held.closed), path).toBe(true);
    await opened.close();
  }
});

test('from the return point itself, the way to /login is a page of its own', async ({ page, world }) => {
  await page.goto('/oauth-redirect');
  await page.evaluate(() => Object.assign(window, { marked: true }));
  await page.getByRole('link', { name: 'Sign In', exact: true }).click();

  await expect(page).toHaveURL(`${world.origin('app')}/login`);
  await expect(page.getByRole('textbox', { name: 'Username', exact: true })).toBeVisible();
  expect(await page.evaluate(() => 'marked' in window)).toBe(false);
});
