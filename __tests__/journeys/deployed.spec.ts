import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withClient } from '@vestibule/service/testing/postgres';
import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { AccountSettingsPage } from './pages/AccountSettingsPage';
import { LoginPage } from './pages/LoginPage';
import { PasswordPage } from './pages/PasswordPage';
import { TwoStepSetup } from './pages/TwoStepSetup';
import { Authenticator } from './support/authenticator';
import { copyRelease, password, startDeployment, type Deployment } from './support/deployment';
import { offers } from './support/runEnvironment';
import { userBrowser } from './support/userBrowser';

test.describe('A process that serves the page and the service over https', { tag: '@long' }, () => {
  let deployment: Deployment;
  let browser: Browser;

  test.beforeAll(async () => {
    deployment = await startDeployment();
    browser = await chromium.launch({
      ...userBrowser(),
      args: [
        ...(userBrowser().args ?? []),
        // The browser reads the related origins of passkeys at port 443, where it accepts no certificate for the sake of a test.
        `--host-resolver-rules=MAP login.example.test:443 127.0.0.1:${deployment.httpsPort},MAP *.example.test 127.0.0.1`,
        '--ignore-certificate-errors',
      ],
    });
  });

  test.afterAll(async () => {
    await browser.close();
    await deployment.stop();
  });

  test('without a database, the service reports it in a sentence', () => {
    const { status, stdout } = spawnSync(process.execPath, [deployment.command, 'serve'], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        ISSUER: 'https://api.example.test',
        ALLOWED_ORIGINS: 'https://login.example.test',
      },
      encoding: 'utf8',
    });
    expect(stdout).toContain('DATABASE_URL is not set: the embedded database is for development.');
    expect(status).toBe(1);
  });

  test('the doctor finds nothing wrong with it', () => {
    const { folder, command, file } = deployment;
    const doctor = [command, 'doctor', file, '--connect-to', '127.0.0.1'];
    const { stdout, status } = spawnSync(process.execPath, doctor, {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: path.join(folder, 'cert.pem') },
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/, 0 wrong\.\n$/);
    expect(status).toBe(0);
  });

  const openPage = async (): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: `https://login.example.test:${deployment.httpsPort}`,
      ignoreHTTPSErrors: true,
    });
    return context.newPage();
  };

  test('an account made on the command line signs in, with cookies for https only', async () => {
    const page = await openPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    const login = new LoginPage(page);
    const settings = new AccountSettingsPage(page);
    await login.open();
    await login.signInAs('ada@example.test', password);
    await expect(page).toHaveURL(/\/account-settings$/);
    await expect(settings.main.getByRole('heading', { name: 'Password' })).toBeVisible();

    const cookies = await page.context().cookies();
    expect(cookies.map(({ name, domain, secure, sameSite }) => ({ name, domain, secure, sameSite }))).toEqual(
      [
        { name: '__Secure-payments-session', domain: '.example.test', secure: true, sameSite: 'None' },
        {
          name: '__Secure-payments-session-refresh',
          domain: '.example.test',
          secure: true,
          sameSite: 'None',
        },
      ],
    );

    await settings.logoutButton.click();
    await expect(login.username).toBeVisible();
    expect(await page.context().cookies()).toEqual([]);
    expect(faults).toEqual([]);
  });

  /** Starts a release in which every file of the page has changed. */
  const upgrade = async (): Promise<void> => {
    const next = path.join(deployment.folder, 'next');
    rmSync(next, { recursive: true, force: true });
    copyRelease(next);
    renameFiles(path.join(next, 'dist'));
    await deployment.restart(0, 'SIGTERM', next);
  };

  test('the login that is open during an upgrade goes on with the files of its build', async () => {
    const page = await openPage();
    const login = new LoginPage(page);
    await login.open();
    await expect(login.username).toBeFocused();
    await upgrade();
    await page.evaluate(() => {
      document.title = 'not reloaded';
    });
    await login.enterUsername('ada@example.test');
    await expect(login.password).toBeVisible();
    expect(await page.title()).toBe('not reloaded');
    await deployment.restart(0, 'SIGTERM');
  });

  for (const isOnline of [true, false]) {
    test(`where they are gone it is reloaded once, with the username and the checkbox as they were, also in a browser that takes itself for ${isOnline ? 'online' : 'offline'}`, async () => {
      const page = await openPage();
      await page.addInitScript((answer) => {
        Object.defineProperty(navigator, 'onLine', { get: () => answer });
      }, isOnline);
      const login = new LoginPage(page);
      await login.open();
      await upgrade();
      // The release that runs was the last to be stored.
      await withClient(deployment.databaseUrl, (client) =>
        client.query('delete from page_builds where used_at < (select max(used_at) from page_builds)'),
      );
      await login.username.fill('ada@example.test');
      await login.rememberMe.check();
      const reloaded = page.waitForEvent('load');
      await login.next();
      await reloaded;
      await expect(login.username).toHaveValue('ada@example.test');
      await expect(login.rememberMe).toBeChecked();
      await login.next();
      await expect(login.password).toBeVisible();
      await expect(login.errorDialog).toBeHidden();
      expect(await page.evaluate(() => Object.values(sessionStorage).join())).not.toContain('ada@');
      await deployment.restart(0, 'SIGTERM');
    });
  }

  test('a passkey of the login host signs in on the supplier host, which is a related origin', async () => {
    test.skip(!offers('passkeys'), 'They are an extension.');
    const page = await openPage();
    const authenticator = await Authenticator.of(page);
    const login = new LoginPage(page);
    const section = page.getByRole('region', { name: 'Passkeys' });
    await login.open();
    await login.signInAs('ada@example.test', password);
    await expect(section.getByText('You have no passkeys.')).toBeVisible();
    await authenticator.touch();
    await section.getByRole('button', { name: 'Add a Passkey' }).click();
    await new TwoStepSetup(page).verify(password);
    await expect(section.getByRole('listitem')).toHaveCount(1);
    await authenticator.touch(false);
    await new AccountSettingsPage(page).logoutButton.click();
    await expect(login.username).toBeVisible();

    const suppliers = `https://suppliers.example.test:${deployment.httpsPort}`;
    await page.goto(`${suppliers}/login`);
    await login.enterUsername('ada@example.test');
    await authenticator.touch();
    await page.getByRole('button', { name: 'Sign in with a Passkey' }).click();
    await expect(page).toHaveURL(`${suppliers}/account-settings`);
    await expect(section.getByText(/^Last used /)).toBeVisible();
    expect(await authenticator.ids()).toHaveLength(1);
  });

  test('the log holds no username, link, code or token of anybody', async () => {
    const username = 'grace@example.test';
    deployment.vestibule(
      ['accounts', 'create', username, '--first-name', 'Grace', '--last-name', 'Hopper'].concat(
        ...['ledger', 'vault'].map((name) => ['--application', `${name}=https://${name}.apps.example.test/`]),
      ),
    );
    const invited = deployment.vestibule(['accounts', 'invite', username, '--print']);
    const { url } = JSON.parse(invited.trim().split('\n').at(-1) ?? '') as { readonly url: string };
    const page = await openPage();
    const login = new LoginPage(page);
    await page.goto(url);
    const form = new PasswordPage(page);
    await form.firstName.fill('Grace');
    await form.lastName.fill('Hopper');
    await form.save('Activate', password);
    await login.signInAs(username, password);
    await expect(page).toHaveURL(/\/account-settings$/);
    const session = await page.context().cookies();
    await page.context().clearCookies();
    const made = '5ecret-of-a-link';
    for (const address of ['redirect', 'secret-key']) {
      await page.goto(`/${address}/${made}`);
      await expect(page).toHaveURL(/\/unauthorized$/);
    }
    await page.goto(`/reset-password/${made}`);
    await page.goto(`/oauth-redirect?code=${made}&state=${made}`);
    await expect(page).toHaveURL(/\/oauth-redirect$/);
    await page.goto(`https://go.example.test:${deployment.httpsPort}/${made}`);
    await expect(page).toHaveURL(/\/unauthorized$/);
    await page.goto(`/forgot-password?email=${username}`);
    await page.goto('/login');
    await login.enterUsername(made);
    await expect(login.errorDialog).toBeVisible();

    const log = deployment.log();
    for (const known of ['GET /login"', 'GET /redirect/***"', 'GET /auth/v1/method/:username"'])
      expect(log).toContain(known);
    const values = session.flatMap(({ value }) => value.match(/[\w.-]{20,}/g) ?? []);
    expect(values.length).toBeGreaterThan(1);
    for (const secret of [...values, url.split('/').at(-1) ?? '', made, 'grace', password, 'login?'])
      expect(log).not.toContain(secret);
  });
});

/** Gives the files of a build other hashes. */
function renameFiles(folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const hashes = new Set(files.flatMap((name) => /\.([0-9a-f]{8,10})\./.exec(name)?.[1] ?? []));
  const renamed = (text: string): string =>
    text.replace(/[0-9a-f]{8,10}/g, (hash) =>
      hashes.has(hash) ? `${hash.slice(1)}${hash.charAt(0)}` : hash,
    );
  for (const name of files) {
    const file = path.join(folder, name);
    // The compressed copies hold the former names.
    if (/\.(?:br|gz)$/.test(name)) rmSync(file);
    else if (/\.(?:js|css|html)$/.test(name)) {
      writeFileSync(file, renamed(readFileSync(file, 'utf8')));
      renameSync(file, path.join(folder, renamed(name)));
    }
  }
}
