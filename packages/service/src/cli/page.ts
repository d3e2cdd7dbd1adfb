import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Deployment } from '../deployment.ts';
import { isSent } from '../page/builtFiles.ts';
import { pageOf } from '../page/pageHost.ts';
import { caddyFile } from '../page/static-host/caddyFile.ts';
import { hostRules } from '../page/static-host/hostRules.ts';
import { nginxFile } from '../page/static-host/nginxFile.ts';
import { CommandError } from '../platform/commandError.ts';
import { extensionFiles } from '../slots.ts';
import { build } from '../start.ts';

/**
 * Writes the page of a deployment for a host other than the service: what is sent in `files/`, and how in `headers.json`, `nginx.conf` and
 * `Caddyfile`. Files of former releases stay.
 *
 * @throws CommandError without a build; Error if it lacks a configured language.
 */
export function writePage(
  folder: string,
  { page: config, themes, environment }: Deployment,
  from = build,
): void {
  const page = pageOf(from, config, themes);
  if (page === null) throw new CommandError(`There is no build of the page in ${from}.`);
  const built = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.posix.join('/', path.relative(from, path.join(entry.parentPath, entry.name))));
  const sent = built.filter(isSent);
  const extensions = extensionFiles(config);
  const rules = hostRules(
    config,
    page,
    new Map([
      ...sent.filter((file) => !file.startsWith('/assets/')).map((file) => [file, undefined] as const),
      ...extensions.map(({ path: file }) => [file, 'application/json'] as const),
    ]),
    environment['TRANSPORT_SECURITY'],
  );
  const write = (name: string, content: string | Buffer): void => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    // A request may come at any time.
    writeFileSync(`${file}.new`, content);
    renameSync(`${file}.new`, file);
  };
  for (const file of sent)
    for (const ending of ['', '.br', '.gz'])
      if (built.includes(file + ending))
        write(`files${file}${ending}`, readFileSync(path.join(from, file + ending)));
  for (const [file, { content }] of Object.entries(themes.files)) write(`files${file}`, content);
  for (const { path: file, json } of extensions) write(`files${file}`, json);
  write('headers.json', `${JSON.stringify(rules, null, 2)}\n`);
  write('nginx.conf', nginxFile(rules));
  write('Caddyfile', caddyFile(rules));
  // The page last, because it names the others.
  write('files/index.html.br', page.br);
  write('files/index.html.gz', page.gzip);
  write('files/index.html', page.identity);
}
