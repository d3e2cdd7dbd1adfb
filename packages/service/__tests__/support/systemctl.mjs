// @ts-check
// What `vestibule apply` asks of systemd, for a machine without it: real processes of the service, and a real nginx.
// MACHINE: the folder of the machine. NGINX: the command that starts nginx, as JSON.
import { spawn } from 'node:child_process';
import { existsSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const machine = process.env['MACHINE'] ?? '';
const file = (/** @type {string} */ name) => path.join(machine, name);

/** @param {string} name @returns {number | null} the process id */
function idOf(name) {
  // `nginx -t` leaves an empty file.
  return existsSync(file(name)) ? Number(readFileSync(file(name), 'utf8')) || null : null;
}

/** @param {number} id */
function lives(id) {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} unit */
async function stop(unit) {
  const id = idOf(`${unit}.id`);
  if (id === null) return;
  if (lives(id)) process.kill(id, 'SIGTERM');
  while (lives(id)) await pause(20);
  rmSync(file(`${unit}.id`));
}

/** @param {string} unit */
async function start(unit) {
  const port = unit.split('@')[1] ?? '';
  const variables = Object.fromEntries(
    readFileSync(file('state/current/service.env'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => [
        line.slice(0, line.indexOf('=')),
        line.slice(line.indexOf('=') + 1).replace(/^"|"$/g, ''),
      ]),
  );
  const log = openSync(file(`${unit}.log`), 'a');
  const program = file('state/current/release/packages/service/dist/cli/vestibule.js');
  const child = spawn(process.execPath, [program, 'serve'], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { PATH: process.env['PATH'], NODE_OPTIONS: process.env['NODE_OPTIONS'], ...variables, PORT: port },
  });
  child.unref();
  writeFileSync(file(`${unit}.id`), String(child.pid));
  for (;;) {
    if (child.exitCode !== null) process.exit(1);
    const response = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => null);
    if (response?.ok === true) return;
    await pause(100);
  }
}

const [command, ...args] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const [unit = ''] = args;
if (command === 'restart') {
  await stop(unit);
  await start(unit);
} else if (command === 'disable') await stop(unit);
else if (command === 'reload') {
  const id = idOf('nginx.pid');
  if (id !== null) process.kill(id, 'SIGHUP');
  else {
    const [program, ...words] = JSON.parse(process.env['NGINX'] ?? '');
    spawn(program, words, { detached: true, stdio: 'ignore' }).unref();
    while (idOf('nginx.pid') === null) await pause(20);
  }
} else if (command === 'list-units')
  for (const name of readdirSync(machine).filter((one) => one.endsWith('.id')))
    console.log(`${name.replace(/\.id$/, '.service')} loaded active running`);
// systemctl leaves no process of the test waiting.
process.exit(0);
