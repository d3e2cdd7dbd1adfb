import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { startProgram } from '@vestibule/service/testing/proxies';
import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { findNginx } from '../../scripts/setup/programs.mjs';
import { AccountSettingsPage } from './pages/AccountSettingsPage';
import { LoginPage } from './pages/LoginPage';
import { password, startDeployment, type Deployment } from './support/deployment';
import { userBrowser } from './support/userBrowser';

test.describe('The page on a host of its own, as `vestibule page` writes it', { tag: '@long' }, () => {
  test.skip(findNginx() === null, 'nginx is not installed.');
  let deployment: Deployment;
  let browser: Browser;
  let stopNginx: () => Promise<void>;
  let site: string;
  const faults: string[] = [];

  test.beforeAll(async () => {
    deployment = await startDeployment({ languages: ['en', 'de'] });
    const { folder, httpsPort, vestibule } = deployment;
    site = path.join(folder, 'site');
    vestibule(['page', site]);
    const [port = 0] = await freePorts(1);
    stopNginx = await serve(folder, site, port);
    browser = await chromium.launch({
      ...userBrowser(),
      args: [
        ...(userBrowser().args ?? []),
        `--host-resolver-rules=MAP login.example.test:${httpsPort} 127.0.0.1:${port},MAP *.example.test 127.0.0.1`,
        '--ignore-certificate-errors',
      ],
    });
  });

  test.afterAll(async () => {
    await browser.close();
    await stopNginx();
    await deployment.stop();
  });

  const openPage = async (): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: `https://login.example.test:${deployment.httpsPort}`,
      ignoreHTTPSErrors: true,
      locale: 'de',
    });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    return page;
  };

  test('signs in and out, in the language of the browser, without a violation of its policy', async () => {
    const page = await openPage();
    const response = await page.goto('/login');
    expect(response?.headers()['server']).toContain('nginx');
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.getByRole('button', { name: 'Weiter' })).toBeVisible();
    await page.getByRole('combobox').selectOption('English');
    const login = new LoginPage(page);
    const settings = new AccountSettingsPage(page);
    await login.signInAs('ada@example.test', password);
    await expect(settings.main.getByRole('heading', { name: 'Password' })).toBeVisible();
    await settings.logoutButton.click();
    await expect(login.username).toBeVisible();
    expect(await page.context().cookies()).toMatchObject([{ name: '__Secure-payments-language' }]);
    expect(faults).toEqual([]);
  });

  test('shows which key is wrong where its block was written by hand into the page of the build', async () => {
    const index = path.join(site, 'files/index.html');
    const [filled, built] = [readFileSync(index, 'utf8'), readFileSync('dist/index.html', 'utf8')];
    const [block = ''] = /<script data-checked[^]*?<\/script>/.exec(filled) ?? [];
    expect(block).toContain('"languages":["en","de"]');
    writeFileSync(
      index,
      built.replace(/<script type="application\/json" id="app-config">[^]*?<\/script>/, () =>
        block.replace(/ data-checked="[^"]*"/, ''),
      ),
    );
    for (const ending of ['br', 'gz']) execFileSync('rm', [`${index}.${ending}`]);
    const page = await openPage();
    await page.goto('/login');
    await expect(page.getByText(/Configuration key 'languages' must be filled in/)).toBeVisible();
    await expect(new LoginPage(page).username).toHaveCount(0);
  });
});

/** Starts nginx with the written file, over https. */
async function serve(folder: string, site: string, port: number): Promise<() => Promise<void>> {
  const own = path.join(folder, 'nginx');
  mkdirSync(own);
  // Its workers run as another user.
  execFileSync('chmod', ['755', folder]);
  const file = path.join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  writeFileSync(
    file,
    `daemon off; pid ${own}/pid; events {} http { access_log off;
${temporary.map((name) => `${name}_temp_path ${own}/${name};`).join('\n')}
server {
listen 127.0.0.1:${port} ssl http2;
ssl_certificate ${folder}/cert.pem;
ssl_certificate_key ${folder}/key.pem;
root ${site}/files;
include ${site}/nginx.conf;
} }`,
  );
  return startProgram(findNginx(), ['-c', file, '-e', `${own}/error.log`], { folder: own, port }, 'SIGQUIT');
}
