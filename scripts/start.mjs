// @ts-check
// `npm start`: installs what is missing, then brings up the local environment (packages/local).
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, isBuildStale } from './setup/build.mjs';
import { checkNodeVersion, ensurePackages } from './setup/packages.mjs';

const projectFolder = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const usage = `npm start                    the local environment, rebuilt and reloaded as files change
npm start -- --production    the same with the production build
npm start -- --fresh         forget all accounts, sessions and messages first
npm start -- --client shop   add a client, which has payments confirmed, and print its secret
PORT=4010 npm start          another port (default 4000)
DATABASE_URL=... npm start   a PostgreSQL server instead of the embedded database`;

try {
  const given = process.argv.slice(2);
  const at = given.indexOf('--client');
  const [, client] = at < 0 ? [] : given.splice(at, 2);
  if (at >= 0 && client === undefined) throw new Error(`--client needs an id.\n\n${usage}`);
  const options = new Set(given);
  if (options.has('--help')) {
    console.log(usage);
    process.exit(0);
  }
  const unknown = [...options].find((option) => !['--production', '--fresh'].includes(option));
  if (unknown !== undefined) throw new Error(`Unknown option ${unknown}.\n\n${usage}`);

  checkNodeVersion(projectFolder);
  await ensurePackages(projectFolder);
  process.chdir(projectFolder);
  const production = options.has('--production');
  if (production && isBuildStale(projectFolder)) {
    console.log('Building for production.');
    build(projectFolder, 'page');
  }
  // Only now: before the installation there is no TypeScript loader.
  const { register } = await import('tsx/esm/api');
  register();
  const { start } = await import('../packages/local/src/start.ts');
  const { startDevelopmentApp } = production
    ? {}
    : await import('../packages/local/src/app/developmentApp.ts');
  const { developmentLanguages } = await import('./build/catalogues.js');
  const databaseUrl = process.env['DATABASE_URL'];
  await start({
    port: process.env['PORT'],
    fresh: options.has('--fresh'),
    stateFolder: path.join(projectFolder, '.local'),
    distFolder: path.join(projectFolder, 'dist'),
    ...(startDevelopmentApp && {
      development: (config, themes) => startDevelopmentApp(projectFolder, config, themes),
      languages: ['en', ...developmentLanguages()],
    }),
    ...(client && { client }),
    ...(databaseUrl && { databaseUrl }),
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
