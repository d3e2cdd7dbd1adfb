import { execFile } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { createOwnAddressTest } from '../platform/addresses.ts';
import { configure } from './configure.ts';
import type { Deployment } from './deployment.ts';

/** Where `vestibule apply` finds and writes what belongs to a machine. */
export interface Machine {
  /** Holds one folder for each applied deployment, and the link `current`. */
  readonly state: string;
  /** Configurations that nginx includes. */
  readonly nginx: string;
  /** Units of systemd. */
  readonly units: string;
  /** The user of the service, for the migration; absent: the current user. */
  readonly user?: string;
  /** `PATH` of nginx and systemctl: that of `su` without a dash lacks the programs of administrators. */
  readonly path: string;
}

/** The machine of docs/operations.md. */
const debian: Machine = {
  state: '/var/lib/vestibule',
  nginx: '/etc/nginx/conf.d',
  units: '/etc/systemd/system',
  user: 'vestibule',
  path: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
};

/** A deployment was not applied, and the former one is in use. The message is for the administrator. */
class ApplyError extends Error {
  override readonly name = 'ApplyError';
}

/** How many applied deployments are kept, with the current one. */
const keptDeployments = 3;

const unit = 'vestibule@.service';

/**
 * Brings a deployment and a release into use on this machine, or neither.
 *
 * The page, the configuration of nginx, the variables and a link to the release are written into a folder of their own, and the
 * link `current` then leads to it. If nginx refuses its configuration, the schema cannot be changed, or a process does not
 * become ready, the link leads to the former folder again.
 *
 * @param release the folder of the release.
 * @param options.isDryRun only print what would change.
 * @param options.print receives each line for the administrator.
 * @throws ApplyError
 */
export async function applyDeployment(
  deployment: Deployment,
  release: string,
  {
    machine = debian,
    isDryRun = false,
    print,
  }: { readonly machine?: Machine; readonly isDryRun?: boolean; readonly print: (line: string) => void },
): Promise<void> {
  // nginx and the service run as other users; none of this is secret.
  process.umask(0o022);
  const run = commandsOf(machine);
  await checkFiles(release, run);
  const current = path.join(machine.state, 'current');
  const site = path.join(machine.nginx, 'vestibule.conf');
  const former = existsSync(current) ? realpathSync(current) : null;
  const own = await nodesHere(deployment.nodes);
  const next = writeNext(
    { ...deployment, environment: { ...hostOf(own), ...deployment.environment } },
    release,
    machine.state,
    former,
  );
  await printDifference(former, next, run, print);
  if (isDryRun) {
    rmSync(next, { recursive: true });
    return;
  }
  const hasNginx = (await run('nginx', ['-v'])).ok;
  const ports = own.map(({ port }) => port);
  const restarted: string[] = [];
  const added: string[] = [];
  try {
    await use(next);
    if (hasNginx) {
      if (!existsSync(site)) symlinkSync(path.join(current, 'vestibule.conf'), site);
      await must(run('nginx', ['-t', '-q']));
      await must(run('systemctl', ['reload', 'nginx']));
    }
    if (ports.length > 0) await must(migrate(next, machine.user, run));
    for (const name of ports.map(nameOf)) {
      restarted.push(name);
      if (!(await run('systemctl', ['is-enabled', '--quiet', name])).ok) added.push(name);
      await must(run('systemctl', ['enable', '--quiet', name]));
      if (!(await run('systemctl', ['restart', name])).ok)
        throw new Error(`${name} did not become ready: ${await reasonOf(name, run)}`);
      print(`${name} is ready.`);
    }
  } catch (error) {
    await use(former);
    rmSync(next, { recursive: true });
    if (former === null) rmSync(site, { force: true });
    if (hasNginx) await run('systemctl', ['reload', 'nginx']);
    for (const name of restarted)
      await run(
        'systemctl',
        added.includes(name) ? ['disable', '--quiet', '--now', name] : ['restart', name],
      );
    const outcome = former === null ? 'Nothing is in use.' : 'The deployment before is in use again.';
    throw new ApplyError(`${error instanceof Error ? error.message : 'unknown'}\n${outcome}`);
  }
  await stopOthers(ports, run, print);
  removeOld(machine.state, next);

  async function use(folder: string | null): Promise<void> {
    pointTo(current, folder);
    if (folder === null || ports.length === 0) return;
    const file = path.join(machine.units, unit);
    const text = readFileSync(path.join(folder, 'release/packages/service/deploy', unit), 'utf8');
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
    writeFileSync(file, text);
    await must(run('systemctl', ['daemon-reload']));
  }
}

/** The outcome of a command. */
interface Ended {
  readonly ok: boolean;
  readonly command: string;
  readonly output: string;
}

type Run = (program: string, args: readonly string[], folder?: string) => Promise<Ended>;

function commandsOf(machine: Machine): Run {
  const env = { ...process.env, PATH: machine.path };
  return async (program, args, cwd) => {
    const command = [program, ...args].join(' ');
    try {
      const { stdout, stderr } = await promisify(execFile)(program, args, { env, cwd });
      return { ok: true, command, output: stdout + stderr };
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
      return { ok: false, command, output: stdout + stderr };
    }
  };
}

/** @throws Error with what a failed command printed. */
async function must(ended: Promise<Ended>): Promise<void> {
  const { ok, command, output } = await ended;
  if (!ok) throw new Error(`\`${command}\` failed: ${output.trim()}`);
}

/** @throws ApplyError if a file of an archive was damaged on its way. */
async function checkFiles(release: string, run: Run): Promise<void> {
  if (!existsSync(path.join(release, 'SHA256SUMS'))) return;
  const { ok, output } = await run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], release);
  if (!ok) throw new ApplyError(`The release is damaged: ${output.trim()}\nUnpack the archive again.`);
}

/** Writes the folder of a deployment, with the files of former builds that open pages still load. */
function writeNext(deployment: Deployment, release: string, state: string, former: string | null): string {
  const next = path.join(state, new Date().toISOString().replace(/[-:]|\.\d+Z$/g, ''));
  if (existsSync(next)) throw new ApplyError(`${next} exists: another run has just begun.`);
  mkdirSync(next, { recursive: true });
  if (former !== null)
    for (const name of ['page/assets', 'former.json'])
      cpSync(path.join(former, name), path.join(next, name), { recursive: true });
  configure(deployment, path.join(release, 'dist'), next);
  writeFileSync(path.join(next, 'page.json'), `${JSON.stringify(deployment.page, null, 2)}\n`);
  symlinkSync(release, path.join(next, 'release'));
  return next;
}

async function printDifference(
  former: string | null,
  next: string,
  run: Run,
  print: (line: string) => void,
): Promise<void> {
  const releaseOf = (folder: string) => path.basename(readlinkSync(path.join(folder, 'release')));
  const [before, after] = [former === null ? 'none' : releaseOf(former), releaseOf(next)];
  print(before === after ? `release: ${after}` : `release: ${before} → ${after}`);
  for (const name of ['page.json', 'service.env', 'vestibule.conf']) {
    const files = [former === null ? '/dev/null' : path.join(former, name), path.join(next, name)];
    const { output } = await run('diff', ['-u', '--label', name, '--label', name, ...files]);
    if (output !== '') print(output.trimEnd());
  }
}

/** Replaces a link in one step, so that no reader finds it missing. */
function pointTo(link: string, target: string | null): void {
  if (target === null) {
    rmSync(link);
    return;
  }
  const temporary = `${link}.next`;
  rmSync(temporary, { force: true });
  symlinkSync(path.basename(target), temporary);
  renameSync(temporary, link);
}

/** Runs the migrations of the release that will be in use, as the user who may read the secrets and is known to the database. */
async function migrate(folder: string, user: string | undefined, run: Run): Promise<Ended> {
  const script = 'set -a; . "$0/service.env"; exec "$@"';
  const asUser = user === undefined ? [] : ['runuser', '-u', user, '--'];
  const program = path.join(folder, 'release/packages/service/dist/cli/vestibule.js');
  const ended = await run('/bin/sh', ['-c', script, folder, ...asUser, process.execPath, program, 'migrate']);
  return { ...ended, command: 'vestibule migrate' };
}

/** The reason for which a process did not start, from the last line of its log. */
async function reasonOf(name: string, run: Run): Promise<string> {
  const filter = ['--output=cat', '--lines=1', '--grep="event":"start failed"'];
  const { ok, output } = await run('journalctl', ['--unit', name, ...filter]);
  return ok ? output.trim() : `see \`journalctl -u ${name}\`.`;
}

/** Stops processes that the file no longer names. */
async function stopOthers(ports: readonly number[], run: Run, print: (line: string) => void): Promise<void> {
  const list = ['list-units', '--plain', '--no-legend', '--all', 'vestibule@*.service'];
  const { output } = await run('systemctl', list);
  for (const [, port] of output.matchAll(/^vestibule@(\d+)\.service/gm)) {
    if (ports.includes(Number(port))) continue;
    const name = nameOf(Number(port));
    await must(run('systemctl', ['disable', '--quiet', '--now', name]));
    print(`${name} is stopped: the file does not name it.`);
  }
}

function removeOld(state: string, current: string): void {
  const folders = readdirSync(state)
    .filter((name) => /^\d{8}T\d{6}$/.test(name) && path.join(state, name) !== current)
    .sort();
  for (const name of folders.slice(0, Math.max(0, folders.length - keptDeployments + 1)))
    rmSync(path.join(state, name), { recursive: true });
}

/** A process of this machine. */
interface Node {
  /** An address, where nginx reaches it. */
  readonly host: string;
  readonly port: number;
}

/** The processes that run on this machine, by its addresses. @throws ApplyError if a name has no address. */
async function nodesHere(nodes: readonly string[]): Promise<readonly Node[]> {
  const isOwn = createOwnAddressTest();
  const found = await Promise.all(
    nodes.map(async (node) => {
      const [, name = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(node) ?? [];
      return { host: await addressOf(name), port: Number(port) };
    }),
  );
  return found.filter(({ host }) => isOwn(host));
}

/** @throws ApplyError if the name has no address. */
async function addressOf(name: string): Promise<string> {
  if (name === 'localhost') return '127.0.0.1';
  try {
    return (await lookup(name)).address;
  } catch {
    throw new ApplyError(`service.nodes: ${name} has no address.`);
  }
}

/**
 * The address on which the processes listen, as the file gives it.
 *
 * @throws ApplyError if those of this machine have several.
 */
function hostOf(own: readonly Node[]): Readonly<Record<string, string>> {
  const [first] = own;
  if (first === undefined) return {};
  const other = own.find(({ host }) => host !== first.host);
  if (other !== undefined)
    throw new ApplyError(
      `service.nodes has two addresses of this machine, ${first.host} and ${other.host}: use one.`,
    );
  return { HOST: first.host };
}

const nameOf = (port: number): string => `vestibule@${port}`;
