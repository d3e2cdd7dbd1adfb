import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { findNginx } from '../../scripts/setup/programs.mjs';
import { LoginPage } from './pages/LoginPage';
import { copyRelease, startDeployment, type Deployment } from './support/deployment';
import { userBrowser } from './support/userBrowser';

test.describe('Two machines with two builds of the page, and no folder in common', { tag: '@long' }, () => {
  test.skip(findNginx() === null, 'nginx is not installed.');
  test.setTimeout(600_000);
  let deployment: Deployment;
  let browser: Browser;
  let next: string;

  test.beforeAll(async () => {
    deployment = await startDeployment({ processes: 2 });
    next = path.join(deployment.folder, 'next');
    copyRelease(next);
    buildNext(next, path.join(deployment.folder, 'sources'));
    browser = await chromium.launch({
      ...userBrowser(),
      args: [...(userBrowser().args ?? []), '--host-resolver-rules=MAP *.example.test 127.0.0.1'],
    });
  });

  test.afterAll(async () => {
    await browser.close();
    await deployment.stop();
  });

  /** A file, as one of the processes sends it. */
  const ask = async (node: number, file: string) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const [host, port] = ['127.0.0.1', deployment.ports[node] ?? 0];
      const headers = { host: `login.example.test:${deployment.httpsPort}` };
      get({ host, port, path: `/assets/${file}`, headers, agent: false }, resolve).once('error', reject);
    });
    return {
      status: response.statusCode,
      kept: response.headers['cache-control'],
      body: (await buffer(response)).toString('latin1'),
    };
  };

  /** Every process must serve every hashed file of both builds. */
  const expectAllFiles = async (): Promise<void> => {
    for (const release of ['.', next]) {
      const folder = path.join(release, 'dist/assets');
      for (const file of readdirSync(folder).filter((name) => !/\.(?:br|gz)$/.test(name)))
        for (const node of deployment.ports.keys())
          expect({ file, node, ...(await ask(node, file)) }).toEqual({
            ...{ file, node, status: 200, kept: 'public, max-age=31536000, immutable' },
            body: readFileSync(path.join(folder, file), 'latin1'),
          });
    }
  };

  const missing: string[] = [];
  const openLogin = async (): Promise<{ readonly page: Page; readonly login: LoginPage }> => {
    const context = await browser.newContext({
      baseURL: `https://login.example.test:${deployment.httpsPort}`,
      ignoreHTTPSErrors: true,
    });
    const page = await context.newPage();
    page.on('response', (response) => {
      if (response.status() >= 400) missing.push(response.url());
    });
    const login = new LoginPage(page);
    await login.open();
    await expect(login.username).toBeFocused();
    await page.evaluate(() => {
      document.title = 'not reloaded';
    });
    return { page, login };
  };

  /** A page that was opened before loads its next files. */
  const expectToGoOn = async ({ page, login }: Awaited<ReturnType<typeof openLogin>>): Promise<void> => {
    await login.enterUsername('ada@example.test');
    await expect(login.password).toBeVisible();
    expect(await page.title()).toBe('not reloaded');
    await page.context().close();
  };

  /** New visits, whichever process has the page and whichever has its files. */
  const expectVisits = async (): Promise<void> => {
    for (let visit = 0; visit < 8; visit += 1) await expectToGoOn(await openLogin());
  };

  test('serve the files of both, through an upgrade and a rollback, and every page goes on', async () => {
    const former = await openLogin();
    await deployment.restart(0, 'SIGTERM', next);
    await expectAllFiles();
    await expectVisits();
    await expectToGoOn(former);

    const open = [await openLogin(), await openLogin()];
    await deployment.restart(1, 'SIGTERM', next);
    await expectAllFiles();
    for (const one of open) await expectToGoOn(one);

    const newer = await openLogin();
    for (const node of deployment.ports.keys()) await deployment.restart(node, 'SIGTERM');
    await expectAllFiles();
    await expectVisits();
    await expectToGoOn(newer);
    expect(missing).toEqual([]);

    for (const node of deployment.ports.keys())
      expect(await ask(node, 'main.00000000.js')).toEqual({
        ...{ status: 404, kept: 'no-store', body: 'Not found.\n' },
      });
  });
});

/** Builds the page of a release from sources in which a text has changed. */
function buildNext(release: string, sources: string): void {
  const parts = ['src', 'public', 'locales', 'scripts', 'package.json', 'tsconfig.json', 'webpack.config.js'];
  for (const part of [...parts, 'packages/client', 'packages/contract'])
    cpSync(part, path.join(sources, part), { recursive: true });
  symlinkSync(path.resolve('node_modules'), path.join(sources, 'node_modules'));
  const messages = path.join(sources, 'src/features/auth/auth.messages.ts');
  const changed = readFileSync(messages, 'utf8').replace(
    "message: 'Welcome'",
    "message: 'Welcome to the next release'",
  );
  writeFileSync(messages, changed);
  execFileSync(process.execPath, ['node_modules/webpack/bin/webpack.js', '--mode', 'production'], {
    cwd: sources,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [former, next] = ['dist', path.join(sources, 'dist')].map((build) =>
    readdirSync(path.join(build, 'assets')),
  );
  const shared = next?.filter((name) => former?.includes(name)) ?? [];
  // The script of the first screen differs; most of the others do not.
  expect(shared.length).toBeGreaterThan(0);
  expect(shared.length).toBeLessThan(next?.length ?? 0);
  rmSync(path.join(release, 'dist'), { recursive: true });
  cpSync(path.join(sources, 'dist'), path.join(release, 'dist'), { recursive: true });
}
