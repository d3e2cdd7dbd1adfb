import { readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, expect, test, type Browser } from '@playwright/test';
import { LoginPage } from './pages/LoginPage';
import { findNginx } from '../../scripts/setup/programs.mjs';
import { password, startDeployment, type Deployment } from './support/deployment';
import { userBrowser } from './support/userBrowser';

/** Two processes of the built service behind nginx. Each has its own connection on which the database announces ends of sessions. */
test.describe('The end of a session that no process delivers', { tag: '@long' }, () => {
  test.skip(findNginx() === null, 'nginx with its Brotli module is not installed.');
  let deployment: Deployment;
  let browser: Browser;

  test.beforeAll(async () => {
    deployment = await startDeployment(undefined, ['events']);
    browser = await chromium.launch({
      ...userBrowser(),
      args: [...(userBrowser().args ?? []), '--host-resolver-rules=MAP *.example.test 127.0.0.1'],
    });
  });

  test.afterAll(async () => {
    await browser.close();
    await deployment.stop();
  });

  /** Streams whose response has ended, as nginx logs them. */
  const endedStreams = () =>
    readFileSync(path.join(deployment.folder, 'access.log'), 'utf8').match(/GET \/auth\/v1\/events /g)
      ?.length ?? 0;

  for (const [what, killed] of [
    ['one process is killed and the other goes on', [0]],
    ['every process is killed and started again', [0, 1]],
  ] as const)
    test(`shows when the tab connects again: ${what}`, async () => {
      const context = await browser.newContext({
        baseURL: `https://login.example.test:${deployment.httpsPort}`,
        ignoreHTTPSErrors: true,
      });
      const page = await context.newPage();
      const login = new LoginPage(page);
      await login.open();
      const opened = page.waitForResponse((response) => response.url().endsWith('/auth/v1/events'));
      await login.signInAs('ada@example.test', password);
      expect((await opened).status()).toBe(200);
      const before = endedStreams();

      // They have not heard of the commit when they are killed.
      for (const node of deployment.nodes) node.kill('SIGSTOP');
      deployment.vestibule(['accounts', 'end-sessions', 'ada@example.test']);
      for (const node of killed) await deployment.restart(node);
      for (const node of deployment.nodes) node.kill('SIGCONT');
      await expect(login.username).toBeVisible({ timeout: 13_000 });
      expect(endedStreams()).toBeGreaterThan(before);
      expect(await context.cookies()).toEqual([]);
      await context.close();
    });
});
