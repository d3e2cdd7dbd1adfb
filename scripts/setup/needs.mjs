// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  findApache,
  findAuthlib,
  findCaddy,
  findChromium,
  findFirefox,
  findNginx,
  findPgbouncer,
  findPostgres,
  findPromtool,
  findWebKit,
  onPath,
} from './programs.mjs';

/**
 * A program, or a right, that some tests need and npm does not install.
 *
 * @typedef {{
 *   find: () => unknown,
 *   debian: readonly string[],
 *   missing: string,
 *   install: string,
 * }} Need `find` returns `null` where it is missing; `install` is for a user on another system
 */

/** @type {Readonly<Record<string, Need>>} */
const needs = {
  chromium: {
    find: findChromium,
    debian: ['chromium'],
    missing: 'no Chromium, Chrome or Edge was found',
    install: 'npx playwright install --with-deps chromium, or CHROMIUM_PATH=/path/to/chromium npm test',
  },
  firefox: {
    find: findFirefox,
    debian: ['firefox-esr'],
    missing: 'no Firefox was found',
    install: 'install Firefox, or FIREFOX_PATH=/path/to/firefox npm test',
  },
  webkit: {
    find: findWebKit,
    debian: ['webkit2gtk-driver', 'xvfb'],
    missing: 'no WebKitGTK with its driver and Xvfb was found',
    install: 'only on Linux, from its distribution',
  },
  orca: {
    find: () =>
      ['orca', 'Xvfb', 'openbox', 'xdotool', 'dbus-daemon', 'script'].every(
        (name) => onPath(name) !== null,
      ) || null,
    debian: ['orca', 'at-spi2-core', 'dbus', 'openbox', 'xdotool', 'xvfb', 'bsdutils'],
    missing: 'no Orca with a window manager, Xvfb and xdotool was found',
    install: 'only on Linux, from its distribution',
  },
  postgresql: {
    find: () => process.env['TEST_POSTGRES_URL'] ?? findPostgres(),
    debian: ['postgresql'],
    missing: 'no PostgreSQL was found, and npm has none for this platform',
    install: 'TEST_POSTGRES_URL=postgres://user@host/postgres npm test',
  },
  nginx: {
    find: findNginx,
    debian: ['nginx'],
    missing: 'no nginx was found',
    install: 'install nginx',
  },
  caddy: {
    find: findCaddy,
    debian: ['caddy'],
    missing: 'no Caddy was found',
    install: 'install Caddy 2.6',
  },
  promtool: {
    find: findPromtool,
    debian: ['prometheus'],
    missing: 'no promtool was found',
    install: 'install Prometheus',
  },
  pgbouncer: {
    find: findPgbouncer,
    debian: ['pgbouncer'],
    missing: 'no PgBouncer was found',
    install: 'install PgBouncer',
  },
  apache: {
    find: findApache,
    debian: ['apache2-bin', 'libapache2-mod-auth-openidc'],
    missing: 'no Apache with mod_auth_openidc was found',
    install: 'only on Debian',
  },
  authlib: {
    find: findAuthlib,
    debian: ['python3-authlib', 'python3-flask', 'python3-requests'],
    missing: 'no Python with Authlib, Flask and Requests was found',
    install: 'only on Debian',
  },
  root: {
    find: () => process.getuid?.() === 0 || null,
    debian: [],
    missing: 'only root can make a machine',
    install: 'run it as root, on Debian',
  },
  debootstrap: {
    find: () => ['debootstrap', 'systemd-nspawn', 'ip', 'ps'].every((name) => onPath(name) !== null) || null,
    debian: ['debootstrap', 'systemd-container', 'iproute2', 'procps'],
    missing: 'no debootstrap, systemd-nspawn, ip and ps were found',
    install: 'only on Debian, as root',
  },
};

const isDebian = existsSync('/usr/bin/apt-get');

/**
 * Installs from Debian what is missing, where root runs it; elsewhere nothing.
 *
 * @param {readonly string[]} names of `needs`
 * @returns {readonly string[]} those that are still missing
 */
export function ensureNeeds(names) {
  const missing = () => names.filter((name) => needs[name]?.find() === null);
  const packages = missing().flatMap((name) => needs[name]?.debian ?? []);
  if (packages.length > 0 && isDebian && process.getuid?.() === 0) {
    console.log(`Installing ${packages.join(' and ')} from Debian; this happens once.`);
    apt('update', '-qq');
    apt('install', '-y', '--no-install-recommends', ...packages);
  }
  return missing();
}

/** @param {readonly string[]} args a failure has been printed, and leaves the program missing */
function apt(...args) {
  const { error } = spawnSync('apt-get', args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (error) console.error(error.message);
}

/** @param {string} name @returns {string} why what needs it was left out, and what to do */
export function explainMissing(name) {
  const { debian = [], missing, install } = /** @type {Need} */ (needs[name]);
  const command =
    isDebian && debian.length > 0
      ? `sudo apt-get install --no-install-recommends ${debian.join(' ')}`
      : install;
  return `${missing}. ${command}`;
}
