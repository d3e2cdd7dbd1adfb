import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { drawnContrast } from './support/drawnContrast';
import { password, people } from './support/people';
import { expect, test } from './support/test';

/** How axe names an element: selectors from the outermost frame inwards. */
type Target = Awaited<ReturnType<AxeBuilder['analyze']>>['incomplete'][number]['nodes'][number]['target'];

/** No violation of any rule that axe knows, in light and in dark; text over a picture is read as it is drawn. */
async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations, incomplete } = await new AxeBuilder({ page }).analyze();
    expect(
      violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })),
      colorScheme,
    ).toEqual([]);
    await expectDrawnReadably(
      page,
      incomplete.flatMap(({ id, nodes }) =>
        id === 'color-contrast' ? nodes.map(({ target }) => target) : [],
      ),
    );
  }
}

/** The texts that axe could not decide on, because a gradient or a picture stands behind them. */
async function expectDrawnReadably(page: Page, targets: readonly Target[]): Promise<void> {
  const texts = targets.map((target) => page.locator(String(target[0])));
  const boxes = await Promise.all(
    texts.map(async (text) => (await text.boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 }),
  );
  const ratios = await drawnContrast(page, boxes);
  const faint = targets
    .map((target, at) => ({ target, ratio: ratios[at] ?? 0 }))
    .filter(({ ratio }) => ratio < 4.5);
  expect(faint).toEqual([]);
}

for (const { look, query } of [
  { look: 'default', query: '' },
  { look: 'e-pay', query: '?application=e-pay' },
]) {
  test.describe(`In the ${look} look, everybody can use`, () => {
    test('the first step of the login', async ({ page, login }) => {
      await login.open(query);
      await expect(login.username).toBeVisible();
      await expectAccessible(page);
      await login.typeUsername(people.ada);
      await expect(login.nextButton).toBeEnabled();
      await expectAccessible(page);
    });

    test('the second step of the login, with every method', async ({ page, login }) => {
      await login.open(query);
      await login.enterUsername(people.alma);
      await login.typePassword(password);
      await expect(login.signInButton).toBeEnabled();
      await expectAccessible(page);
    });

    test('the error dialog', async ({ page, login }) => {
      await login.open(query);
      await login.enterUsername(people.nobody);
      await login.expectLoginError('No Login Methods available');
      await expectAccessible(page);
    });

    test('the account settings', async ({ page, login, settings }) => {
      await login.open(query);
      await login.signInAs(people.sam, password);
      await settings.expectOpen();
      await settings.expectLastChange('March 5th, 2026 at 9:07 am');
      await expectAccessible(page);
    });

    test('the page of an expired link', async ({ page }) => {
      await page.goto(`/unauthorized${query}`);
      await expect(page.getByRole('heading', { name: 'Your Link Has Expired', exact: true })).toBeVisible();
      await expectAccessible(page);
    });

    test('the second step of a two-step sign-in', async ({ page, login }) => {
      await login.open(query);
      await login.signInAs(people.tess, password);
      await expect(page.getByRole('heading', { name: 'Enter MFA Code' })).toBeVisible();
      await expectAccessible(page);
    });
  });
}
