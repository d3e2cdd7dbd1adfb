import { chromium, expect, test, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { findNginx } from '../../scripts/setup/programs.mjs';
import { AccountSettingsPage } from './pages/AccountSettingsPage';
import { LoginPage } from './pages/LoginPage';
import { end, password, startDeployment, type Deployment } from './support/deployment';
import { userBrowser } from './support/userBrowser';

test.describe('Two processes behind nginx', { tag: '@long' }, () => {
  test.skip(findNginx() === null, 'nginx is not installed.');
  let deployment: Deployment;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let login: LoginPage;

  test.beforeAll(async () => {
    deployment = await startDeployment({ extensions: ['events'], processes: 2 });
    browser = await chromium.launch({
      ...userBrowser(),
      args: [...(userBrowser().args ?? []), '--host-resolver-rules=MAP *.example.test 127.0.0.1'],
    });
  });

  test.beforeEach(async () => {
    context = await browser.newContext({
      baseURL: `https://login.example.test:${deployment.httpsPort}`,
      ignoreHTTPSErrors: true,
    });
    page = await context.newPage();
    login = new LoginPage(page);
    await login.open();
  });

  test.afterEach(async () => {
    await context.close();
  });

  test.afterAll(async () => {
    await browser.close();
    await deployment.stop();
  });

  test('a user stays signed in when a process dies, and signs out', async () => {
    const faults: string[] = [];
    page.on('console', (message) => {
      // The stream of a process that was killed has no end.
      const isStream = message.location().url.endsWith('/auth/v1/events');
      if (message.type() === 'error' && !isStream) faults.push(message.text());
    });
    const settings = new AccountSettingsPage(page);
    await login.signInAs('ada@example.test', password);
    await expect(page).toHaveURL(/\/account-settings$/);
    const loaded = settings.main.getByRole('heading', { name: 'Password' });
    await expect(loaded).toBeVisible();
    for (const node of deployment.nodes.keys()) {
      await end(deployment.nodes[node], 'SIGKILL');
      await page.reload();
      await expect(loaded).toBeVisible();
      await deployment.restart(node, 'SIGKILL');
    }
    await settings.logoutButton.click();
    await expect(login.username).toBeVisible();
    expect(await context.cookies()).toEqual([]);
    expect(faults).toEqual([]);
  });

  // Each process has its own connection on which the database announces ends of sessions.
  for (const [what, killed] of [
    ['one process is killed and the other goes on', [0]],
    ['every process is killed and started again', [0, 1]],
  ] as const)
    test(`the end of a session shows, at the latest when the tab connects again: ${what}`, async () => {
      let streams = 0;
      page.on('request', (request) => {
        if (request.url().endsWith('/auth/v1/events')) streams += 1;
      });
      const opened = page.waitForResponse((response) => response.url().endsWith('/auth/v1/events'));
      await login.signInAs('ada@example.test', password);
      expect((await opened).status()).toBe(200);
      const before = streams;

      // They have not heard of the commit when they are killed.
      for (const node of deployment.nodes) node.kill('SIGSTOP');
      deployment.vestibule(['accounts', 'end-sessions', 'ada@example.test']);
      for (const node of killed) await deployment.restart(node, 'SIGKILL');
      for (const node of deployment.nodes) node.kill('SIGCONT');
      await expect(login.username).toBeVisible({ timeout: 13_000 });
      // The other process delivers it if the tab was connected to that one.
      expect(streams).toBeGreaterThanOrEqual(before + killed.length - 1);
      expect(await context.cookies()).toEqual([]);
    });
});
