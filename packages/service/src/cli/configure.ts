import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import type { Deployment } from './deployment.ts';
import { nginxConfiguration } from './nginx.ts';
import { fillPage } from '@vestibule/contract/page';

/** How long hashed files of former builds are kept, ms: open pages still load them. */
const keptForMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Writes the files of a deployment: the page with its configuration, the configuration of nginx, and the variables of
 * the service.
 *
 * @param build folder of the production build (`dist`).
 * @param folder where to write; its `page`, `vestibule.conf` and `service.env` are replaced, except for hashed files
 * of builds of the last seven days.
 * @param now ms since 1970.
 */
export function configure(deployment: Deployment, build: string, folder: string, now = Date.now()): void {
  const page = fillPage(readFileSync(path.join(build, 'index.html'), 'utf8'), deployment.page);
  const pageFolder = path.join(folder, 'page');
  mkdirSync(path.join(pageFolder, 'assets'), { recursive: true });
  keepFormerFiles(path.join(build, 'assets'), pageFolder, path.join(folder, 'former.json'), now);
  for (const name of readdirSync(pageFolder))
    if (name !== 'assets') rmSync(path.join(pageFolder, name), { recursive: true });
  cpSync(build, pageFolder, { recursive: true });
  writeFileSync(path.join(pageFolder, 'index.html'), page.identity);
  writeFileSync(path.join(pageFolder, 'index.html.br'), page.br);
  writeFileSync(path.join(pageFolder, 'index.html.gz'), page.gzip);
  writeFileSync(path.join(folder, 'vestibule.conf'), nginxConfiguration(deployment, page.inline));
  writeFileSync(path.join(folder, 'service.env'), environmentFile(deployment.environment));
}

const formerFiles = v.record(v.string(), v.number());

/**
 * Removes files that no build has contained for too long.
 *
 * @param list when each of them was first missing from a build, in ms since 1970.
 */
function keepFormerFiles(assets: string, pageFolder: string, list: string, now: number): void {
  const before = existsSync(list) ? v.parse(formerFiles, JSON.parse(readFileSync(list, 'utf8'))) : {};
  const current = new Set(readdirSync(assets));
  const former: Record<string, number> = {};
  for (const name of readdirSync(path.join(pageFolder, 'assets'))) {
    if (current.has(name)) continue;
    const since = before[name] ?? now;
    if (now - since > keptForMs) rmSync(path.join(pageFolder, 'assets', name), { recursive: true });
    else former[name] = since;
  }
  writeFileSync(list, JSON.stringify(former));
}

/** Writes variables in a format that systemd (`EnvironmentFile`), Docker Compose (`env_file`) and shells read alike. */
function environmentFile(environment: Deployment['environment']): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${/^[\w@%+=:,./-]*$/.test(value) ? value : quoted(value)}\n`)
    .join('');
}

function quoted(value: string): string {
  return `"${value.replace(/["\\$`]/g, '\\$&')}"`;
}
