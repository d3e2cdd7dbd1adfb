import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test as base, type BrowserContext } from '@playwright/test';
import webpack, { type Configuration } from 'webpack';
import { fillPage, type BuiltLanguages } from '@vestibule/contract/page';
import { allowInline, appHeaders } from '@vestibule/contract/pageHeaders';
import { environmentConfig } from '@vestibule/local';

/** Where the pages of these tests are served. There is no server: every answer is a file of the build. */
export const origin = 'http://login.payments.localhost:4000';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.html': 'text/html',
  '.json': 'application/json',
};

/** The development build, without its maps, in a folder of its own. */
async function buildForDevelopment(folder: string): Promise<void> {
  const configure = createRequire(__filename)('../../../webpack.config.js') as (
    env: object,
    argv: { mode: 'development' },
  ) => Configuration;
  const configuration = configure({}, { mode: 'development' });
  const stats = await new Promise<webpack.Stats | undefined>((resolve, reject) => {
    webpack(
      {
        ...configuration,
        context: path.resolve(__dirname, '../../..'),
        devtool: false,
        output: { ...configuration.output, path: folder },
      },
      (error, done) => {
        if (error) reject(error);
        else resolve(done);
      },
    );
  });
  if (stats?.hasErrors() !== false) throw new Error(stats?.toString('errors-only'));
}

/** Every extension of the contract: scenarios show their parts of the screens. */
async function extensionNames(): Promise<readonly string[]> {
  const file = createRequire(__filename).resolve('@vestibule/contract/openapi.yaml');
  return [...new Set((await readFile(file, 'utf8')).match(/(?<=x-extension: )\S+/g))];
}

/** Serves the build as the development server does: the same headers, the same configuration. */
async function serve(context: BrowserContext, folder: string): Promise<void> {
  const built = JSON.parse(await readFile(path.join(folder, 'languages.json'), 'utf8')) as BuiltLanguages;
  const languages = ['en', ...Object.keys(built.texts)];
  const config = environmentConfig(4000, { extensions: await extensionNames(), languages });
  await context.route(
    () => true,
    async (route) => {
      const url = new URL(route.request().url());
      const isFile = url.origin === origin && path.extname(url.pathname) !== '';
      const isPage = url.origin === origin && route.request().isNavigationRequest();
      if (!isFile && !isPage) {
        await route.abort();
        return;
      }
      const name = isFile ? url.pathname : '/index.html';
      const text = await readFile(path.join(folder, name), 'utf8');
      const page = isPage ? fillPage(text, config, built) : null;
      const headers = appHeaders({
        path: url.pathname,
        serviceOrigin: config.serviceUrl,
        parentOrigins: config.parentOrigins,
        hotReloadOrigin: origin,
      });
      await route.fulfill({
        headers: {
          ...(page ? allowInline(headers, page.inline) : headers),
          'content-type': types[path.extname(name)] ?? 'text/plain',
        },
        body: page?.identity ?? text,
      });
    },
  );
}

/** A browser context with the laboratory, and nothing else to reach: a call of anything would fail the test. */
export const test = base.extend<{ readonly complaints: readonly string[] }, { readonly build: string }>({
  build: [
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-laboratory-'));
      await buildForDevelopment(folder);
      await use(folder);
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  complaints: [
    async ({ context, build }, use) => {
      const complaints: string[] = [];
      await serve(context, build);
      context.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      context.on('weberror', (error) => complaints.push(error.error().message));
      context.on('requestfailed', (request) => {
        // A frame that is left while it loads asks for no more.
        if (request.failure()?.errorText !== 'net::ERR_ABORTED') complaints.push(request.url());
      });
      await use(complaints);
      base.expect(complaints, 'what the pages of this test complained about').toEqual([]);
    },
    { auto: true },
  ],
});
