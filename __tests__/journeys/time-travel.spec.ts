import type { Page } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Extension, type Panel } from './support/extension';
import { pauseClock } from './support/pauseClock';
import { password, users } from './support/users';
import { distFolder } from './support/runEnvironment';
import { savePicture, updatesPictures } from './support/savePicture';
import { expect, test } from './support/test';

test.use({ devTools: true });

test.describe('Redux DevTools', () => {
  let extension: Extension;

  test.beforeEach(async ({ page }) => {
    extension = new Extension(page);
    await extension.install();
  });

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

  test('jumps through a sign-in: the screen and its address, and nothing else; then the page goes on', async ({
    page,
    environment,
    login,
    settings,
  }) => {
    await login.open('?client=1');
    await login.signInAs(users.several, password);
    await settings.expectOpen();
    const calls = (await environment.calls()).length;
    const cookies = await page.context().cookies();
    const entries = await page.evaluate(() => history.length);
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
    });

    await extension.jump('signIn/methodsLoaded');
    await expect(login.password).toBeVisible();
    await expect(page).toHaveURL(/\/login\?client=1$/);
    expect(await focused(page)).toBe('BODY');
    await extension.jump('signIn/loginEntered');
    await expect(login.username).toHaveValue('');
    expect(await focused(page)).toBe('BODY');
    // Written in the past: the panel may not do that.
    await extension.send({ type: 'DISPATCH', payload: { type: 'LOCK_CHANGES', status: true } });
    await extension.jump();
    await settings.expectOpen();
    await expect(page).toHaveURL(/\/account-settings$/);
    await extension.send({ type: 'DISPATCH', payload: { type: 'RESET' } });
    await settings.expectOpen();

    expect((await environment.calls()).length).toBe(calls);
    expect(await page.context().cookies()).toEqual(cookies);
    expect(await page.evaluate(() => history.length)).toBe(entries);
    await page.getByRole('button', { name: 'Logout', exact: true }).click();
    await expect(login.username).toBeFocused();
  });

  test(
    'jumps while a countdown runs, which ends in the present',
    { tag: '@long' },
    async ({ page, settings, twoStep, signedInAs }) => {
      await page.clock.install();
      await signedInAs(users.several);
      await settings.open();
      await twoStep.begin();
      await twoStep.shownKey();
      await pauseClock(page);
      await page.clock.fastForward('02:31');
      await expect(twoStep.expiring).toBeVisible();
      await extension.jump('enrolment/enrolmentMethodChosen');
      await expect(twoStep.expiring).toBeHidden();
      await page.clock.fastForward('00:40');
      await expect(page).toHaveURL(/\/mfa-options$|\/account-settings$/);
      await extension.jump();
      await settings.expectOpen();
      await expect(twoStep.expiring).toBeHidden();
    },
  );

  test(
    'shows why each event happened, and exports no secret',
    { tag: '@long' },
    async ({ page, login, settings }) => {
      await login.open();
      await login.signInAs(users.several, password);
      await settings.expectOpen();
      const panel = await extension.panel();
      const stepOf = (type: string) =>
        Object.values(panel.actionsById).find(({ action }) => action.type === type);
      expect(stepOf('signIn/passwordSubmitted')?.action.meta?.cause).toBe('user');
      expect(stepOf('session/sessionStarted')?.action.meta?.cause).toBe('service');

      const exported = JSON.stringify(panel);
      expect(exported).toContain('signIn/passwordSubmitted');
      expect(exported).not.toContain(password);
      expect(exported).not.toMatch(/eyJ/);
      // The page shows the imported log; its present goes on.
      await extension.import(exported);
      await extension.jump('signIn/methodsLoaded');
      await expect(login.password).toBeVisible();
      await page.reload();
      await settings.expectOpen();
    },
  );
});

/** The panel's list, drawn as a page of its own: time, cause and type of each event, the shown one marked. */
function listOf({ actionsById, stagedActionIds, currentStateIndex }: Panel, isDark: boolean): string {
  const logged = stagedActionIds.flatMap((id) => actionsById[id] ?? []);
  const start = logged[0]?.timestamp ?? 0;
  const lines = logged.slice(1).map(({ action, timestamp }, at) => {
    const shade = at + 1 === currentStateIndex ? 'background:#4a7fd6;color:#fff' : '';
    const seconds = ((timestamp - start) / 1000).toFixed(1);
    return `<tr style="${shade}"><td>${seconds} s<td>${action.meta?.cause ?? ''}<td>${action.type}`;
  });
  const [paper, ink] = isDark ? ['#1c2029', '#d8dde6'] : ['#f5f6f8', '#20242c'];
  return `<!doctype html><body style="margin:0;padding:16px;background:${paper};color:${ink};font:13px/1.6 sans-serif;white-space:nowrap">
    <table style="border-spacing:0;width:100%" cellpadding="3">${lines.join('')}</table>`;
}

if (updatesPictures)
  for (const colorScheme of ['light', 'dark'] as const)
    test(`draws the picture of the documents, ${colorScheme}`, async ({ page, login, settings, context }) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: 410, height: 400 });
      const extension = new Extension(page);
      await extension.install();
      await login.open();
      await login.signInAs(users.several, password);
      await settings.expectOpen();
      await extension.jump('signIn/methodsLoaded');
      await expect(login.password).toBeVisible();
      const list = await context.newPage();
      await list.setViewportSize({ width: 370, height: 400 });
      await list.setContent(listOf(await extension.panel(), colorScheme === 'dark'));
      savePicture(`past-${colorScheme}.png`, await page.screenshot(), await list.screenshot());
    });

test('The production build has nothing of the development tools, and of DevTools one chunk that no page asks for', () => {
  const folder = distFolder();
  const page = readFileSync(path.join(folder, 'index.html'), 'utf8');
  const scripts = readdirSync(path.join(folder, 'assets')).filter((file) => file.endsWith('.js'));
  const holding = (text: string) =>
    scripts.filter((file) => readFileSync(path.join(folder, 'assets', file), 'utf8').includes(text));
  // The warning about events that come too fast; the laboratory's name in the window.
  expect(holding('more events in a second')).toEqual([]);
  expect(holding('scenario=')).toEqual([]);
  const devTools = holding('devTools/presentShown');
  expect(devTools).toHaveLength(1);
  expect(page).not.toContain(devTools[0]);
});
