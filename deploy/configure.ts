import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Deployment } from './deployment';
import { nginxConfiguration } from './nginx';
import { fillPage } from './page';

/**
 * Writes what a deployment needs: the page with its configuration, nginx's configuration, and the variables of the service.
 *
 * @param build folder of the production build (`dist`)
 * @param folder where to write; its `page`, `vestibule.conf` and `service.env` are replaced
 */
export function configure(deployment: Deployment, build: string, folder: string): void {
  const page = fillPage(readFileSync(path.join(build, 'index.html'), 'utf8'), deployment.block);
  const pageFolder = path.join(folder, 'page');
  rmSync(pageFolder, { recursive: true, force: true });
  mkdirSync(pageFolder, { recursive: true });
  cpSync(build, pageFolder, { recursive: true });
  writeFileSync(path.join(pageFolder, 'index.html'), page.identity);
  writeFileSync(path.join(pageFolder, 'index.html.br'), page.br);
  writeFileSync(path.join(pageFolder, 'index.html.gz'), page.gzip);
  writeFileSync(path.join(folder, 'vestibule.conf'), nginxConfiguration(deployment, page.inline));
  writeFileSync(path.join(folder, 'service.env'), environmentFile(deployment.environment));
}

/** As systemd's `EnvironmentFile`, Docker Compose's `env_file` and a shell read it. */
function environmentFile(environment: Deployment['environment']): string {
  return Object.entries(environment)
    .map(([name, value]) => `${name}=${/^[\w@%+=:,./-]*$/.test(value) ? value : quoted(value)}\n`)
    .join('');
}

function quoted(value: string): string {
  return `"${value.replace(/["\\$`]/g, '\\$&')}"`;
}
