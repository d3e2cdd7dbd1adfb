import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'node:tls';
import { findCaddy, findNginx } from '../../../../scripts/setup/programs.mjs';
import { untilOpen, type TestDeployment } from './testDeployment.ts';

const guide = path.resolve(__dirname, '../../../../docs/operations.md');

/** The file of a test's deployment for processes behind a proxy, which speak no https themselves. */
export const behindProxy = (file: string): string =>
  `${file.replace(/^ *(?:TLS_|ACME_|REDIRECT_)\w+: .*\n/gm, '').trimEnd()}\n    TRUSTED_PROXIES: 127.0.0.1\n`;

type Place = Pick<TestDeployment, 'folder' | 'httpsPort'>;

/**
 * Starts nginx with the configuration of docs/operations.md#behind-a-proxy, in front of two processes.
 *
 * @returns how to stop it; the signal is sent at once.
 */
export async function startNginx(place: Place, ports: readonly number[]): Promise<() => Promise<void>> {
  const { folder, httpsPort } = place;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off;
pid ${folder}/nginx.pid;
events {}
http {
${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n')}
${blockOf('nginx', ports)
  .replace('listen 443', `listen ${httpsPort}`)
  .replace('/etc/vestibule/fullchain', `${folder}/cert`)
  .replace('/etc/vestibule/privkey', `${folder}/key`)
  .replace('/var/log/nginx', folder)}}`,
  );
  // Its workers run as another user.
  execFileSync('chmod', ['755', folder]);
  return startProgram(
    findNginx(),
    ['-c', file, '-e', path.join(folder, 'error.log')],
    { folder, port: httpsPort },
    'SIGQUIT',
  );
}

/** Starts Caddy with the configuration of docs/operations.md#behind-a-proxy, and a certificate of its own making. */
export async function startCaddy(place: Place, ports: readonly number[]): Promise<() => Promise<void>> {
  const { folder, httpsPort } = place;
  const file = path.join(folder, 'Caddyfile');
  const options = ['local_certs', 'skip_install_trust', 'admin off', 'auto_https disable_redirects'];
  writeFileSync(
    file,
    `{
${[...options, `https_port ${httpsPort}`].join('\n')}
}
${blockOf('caddy', ports)}`,
  );
  const stop = await startProgram(
    findCaddy(),
    ['run', '--config', file, '--adapter', 'caddyfile'],
    { folder, port: httpsPort },
    'SIGTERM',
  );
  // It listens before it has made the certificates.
  for (const name of ['login', 'api']) await untilCertified(httpsPort, `${name}.example.test`);
  return stop;
}

/** Until a server has a certificate for a name. */
async function untilCertified(port: number, servername: string): Promise<void> {
  const isCertified = (): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false });
      socket.once('secureConnect', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
  while (!(await isCertified())) await pause(50);
}

/** A configuration of the guide, with the names and the ports of a test. */
function blockOf(language: string, ports: readonly number[]): string {
  const [, block] =
    new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(readFileSync(guide, 'utf8')) ?? [];
  if (block === undefined) throw new Error(`docs/operations.md has no configuration of ${language}.`);
  const [first, second] = ports.map(String);
  return block
    .replaceAll('example.com', 'example.test')
    .replaceAll('10.0.0.2:4001', `127.0.0.1:${first}`)
    .replaceAll('10.0.0.3:4001', `127.0.0.1:${second}`);
}

/**
 * Starts a program, and waits until it listens.
 *
 * @returns how to stop it; the signal is sent at once.
 */
export async function startProgram(
  program: string | null,
  args: readonly string[],
  { folder, port }: { readonly folder: string; readonly port: number },
  signal: NodeJS.Signals,
): Promise<() => Promise<void>> {
  if (program === null) throw new Error('The program is not installed.');
  const server = spawn(program, args, {
    stdio: 'ignore',
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const gone = once(server, 'exit');
  await Promise.race([
    untilOpen(port),
    gone.then(() => Promise.reject(new Error(`${program} does not accept its configuration.`))),
  ]);
  return async () => {
    server.kill(signal);
    await gone;
  };
}
