import { randomBytes } from 'node:crypto';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { makePlace, startNginx, untilOpen, type Place } from '../deploy/support/place';
import { newDatabase } from '../service/support/postgres';
import { freePorts } from '../support/freePorts';
import { AccountSettingsPage } from './pages/AccountSettingsPage';
import { LoginPage } from './pages/LoginPage';
import { userBrowser } from './support/userBrowser';

const command = path.resolve('dist-service/vestibule.mjs');
const password = 'Front-door7';

/** The built page and two processes of the built service behind nginx, as `vestibule configure` writes them. */
test.describe('A deployment behind nginx, over https', { tag: '@long' }, () => {
  let place: Place;
  let environment: NodeJS.ProcessEnv;
  const nodes: ChildProcess[] = [];
  let stopNginx: () => Promise<void>;
  let browser: Browser;

  const vestibule = (args: readonly string[], input = ''): string =>
    execFileSync(process.execPath, [command, ...args], { env: environment, input, encoding: 'utf8' });

  test.beforeAll(async () => {
    const ports = await freePorts(2);
    place = await makePlace(ports);
    const file = (name: string): string => path.join(place.folder, name);
    writeFileSync(file('deployment.yaml'), place.deployment);
    writeFileSync(file('database-url'), `${await newDatabase()}\n`);
    writeFileSync(file('encryption-key'), `${randomBytes(32).toString('base64')}\n`);
    environment = { ...process.env };
    vestibule(['configure', file('deployment.yaml'), '--out', file('out')]);
    environment = { ...environment, ...readVariables(file('out/service.env')) };
    for (const port of ports) {
      nodes.push(
        spawn(process.execPath, [command, 'serve'], { env: { ...environment, PORT: String(port) } }),
      );
      await untilOpen(port);
    }
    stopNginx = await startNginx(place, file('out/vestibule.conf'));
    browser = await chromium.launch({
      ...userBrowser(),
      args: [...(userBrowser().args ?? []), '--host-resolver-rules=MAP *.example.test 127.0.0.1'],
    });
  });

  test.afterAll(async () => {
    await browser.close();
    await stopNginx();
    for (const node of nodes) node.kill('SIGTERM');
    await Promise.all(nodes.map(exitOf));
    place.remove();
  });

  test('without a database, the service says so in a sentence', () => {
    const variables = { ...environment, DATABASE_URL_FILE: undefined };
    const { status, stderr } = spawnSync(process.execPath, [command, 'serve'], {
      env: variables,
      encoding: 'utf8',
    });
    expect(stderr).toContain(
      'The embedded database is for development and not installed here: set DATABASE_URL.',
    );
    expect(status).toBe(1);
  });

  test('the doctor finds nothing wrong with it', () => {
    const trusted = { ...environment, NODE_EXTRA_CA_CERTS: path.join(place.folder, 'cert.pem') };
    const file = path.join(place.folder, 'deployment.yaml');
    // nginx listens on every address of this machine, the service on 127.0.0.1 only.
    const doctor = [command, 'doctor', file, '--connect-to', '127.0.0.2'];
    const { stdout, status } = spawnSync(process.execPath, doctor, { env: trusted, encoding: 'utf8' });
    expect(stdout).toMatch(/, 0 wrong\.\n$/);
    expect(status).toBe(0);
  });

  const openPage = async (): Promise<Page> => {
    const context = await browser.newContext({
      baseURL: `https://login.example.test:${place.httpsPort}`,
      ignoreHTTPSErrors: true,
    });
    return context.newPage();
  };

  test('an account made on the command line signs in, with cookies for https only, and stays when a process dies', async () => {
    vestibule(
      [
        ...['accounts', 'create', 'ada@example.test', '--first-name', 'Ada', '--last-name', 'Lovelace'],
        ...['--application', 'ledger=https://ledger.apps.example.test/'],
        ...['--application', 'supplierHub=https://hub.apps.example.test/', '--password-stdin'],
      ],
      `${password}\n`,
    );
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
        { name: 'payments-session', domain: '.example.test', secure: true, sameSite: 'None' },
        { name: 'payments-session-refresh', domain: '.example.test', secure: true, sameSite: 'None' },
      ],
    );

    const [first] = nodes;
    first?.kill('SIGKILL');
    if (first !== undefined) await exitOf(first);
    await page.reload();
    await expect(settings.main.getByRole('heading', { name: 'Password' })).toBeVisible();
    await settings.logoutButton.click();
    await expect(login.username).toBeVisible();
    expect(await page.context().cookies()).toEqual([]);
    expect(faults).toEqual([]);
  });
});

function readVariables(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1).replace(/^"(.*)"$/, '$1')];
    }),
  );
}

function exitOf(node: ChildProcess): Promise<unknown> {
  return node.exitCode !== null || node.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => node.once('exit', resolve));
}
