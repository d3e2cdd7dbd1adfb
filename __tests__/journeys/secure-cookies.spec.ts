import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createVerifier } from '@vestibule/client/server';
import { ask } from '@vestibule/service/testing/testDeployment';
import { AccountSettingsPage } from './pages/AccountSettingsPage';
import { LoginPage } from './pages/LoginPage';
import { localDomain, password, startDeployment, type Deployment } from './support/deployment';
import { engineTest } from './support/engineTest';
import { expect } from './support/expect';

const session = '__Secure-payments-session';

interface Family {
  readonly deployment: Deployment;
  /** Address of an application below the same domain. It shows whom its server has found in the cookies. */
  readonly sibling: string;
}

const test = engineTest.extend<object, { readonly family: Family }>({
  family: [
    async ({}, use) => {
      const deployment = await startDeployment({ domain: localDomain });
      const server = openSibling(deployment);
      await new Promise<void>((resolve) => server.listen(0, resolve));
      const { port } = server.address() as AddressInfo;
      await use({ deployment, sibling: `https://ledger.apps.${localDomain}:${port}/` });
      server.close();
      await deployment.stop();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ family: { deployment } }, use) => {
    await use(`https://login.${localDomain}:${deployment.httpsPort}`);
  },
  ignoreHTTPSErrors: true,
});

test(
  'a sibling application over https reads the session, whose cookies begin with __Secure-, until it is over',
  { tag: ['@long', '@engines'] },
  async ({ page, context, family: { sibling } }) => {
    const login = new LoginPage(page);
    await page.goto('/login');
    await login.signInAs('ada@example.test', password);
    await expect(page).toHaveURL(/\/account-settings$/);
    const cookies = await context.cookies();
    expect(cookies.map(({ name, secure }) => ({ name, secure }))).toEqual(
      [session, `${session}-refresh`].map((name) => ({ name, secure: true })),
    );

    await page.goto(sibling);
    await expect(page.getByText('Ada is signed in.', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.cookie)).toContain(`${session}=`);

    await page.goto('/account-settings');
    await new AccountSettingsPage(page).logoutButton.click();
    await expect(login.username).toBeVisible();
    await page.goto(sibling);
    await expect(page.getByText('Nobody is signed in.', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.cookie)).toBe('');
  },
);

function openSibling(deployment: Deployment): Server {
  const host = `api.${localDomain}`;
  const verifier = createVerifier({
    issuer: `https://${host}:${deployment.httpsPort}`,
    fetch: async () => new Response((await ask(deployment, host, '/.well-known/jwks.json')).body),
  });
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(path.join(deployment.folder, name)));
  const shown = async (cookies = ''): Promise<string> => {
    const [, value = '%7B%7D'] = new RegExp(`${session}=([^;]*)`).exec(cookies) ?? [];
    const stored = JSON.parse(decodeURIComponent(value)) as { authenticated?: { token: string } };
    const verified = await verifier.verify(stored.authenticated?.token);
    return verified.ok ? `${verified.claims.firstName} is signed in.` : 'Nobody is signed in.';
  };
  return createServer({ key, cert }, (request, response) => {
    void shown(request.headers.cookie).then((text) =>
      response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Ledger</title><p>${text}`),
    );
  });
}
