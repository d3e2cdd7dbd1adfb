// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';

/** Where Debian puts the browser; `CHROMIUM_PATH` names another. */
export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const postgresqlFolder = '/usr/lib/postgresql';

/** What the tests need from the system, and how to tell that it is there. */
const needed = [
  { package: 'chromium', present: () => existsSync(chromiumPath) },
  { package: 'firefox-esr', present: () => existsSync('/usr/bin/firefox-esr') },
  { package: 'webkit2gtk-driver', present: () => existsSync('/usr/bin/WebKitWebDriver') },
  // WebKitGTK draws on a screen; this one is in memory.
  { package: 'xvfb', present: () => existsSync('/usr/bin/Xvfb') },
  {
    package: 'postgresql',
    present: () =>
      existsSync(postgresqlFolder) &&
      readdirSync(postgresqlFolder).some((version) =>
        existsSync(`${postgresqlFolder}/${version}/bin/initdb`),
      ),
  },
  {
    package: 'nginx',
    present: () => existsSync('/usr/sbin/nginx'),
  },
  { package: 'debootstrap', present: () => existsSync('/usr/sbin/debootstrap') },
  { package: 'systemd-container', present: () => existsSync('/usr/bin/systemd-nspawn') },
  {
    package: 'libnginx-mod-http-brotli-static',
    present: () => existsSync('/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'),
  },
];

/**
 * Installs Debian's packages that the chosen checks need and that are missing. Only root on a machine with apt-get can;
 * anyone else is told what to install.
 *
 * @param {readonly string[]} wanted names of packages, of those above
 * @throws {Error} saying what is missing.
 */
export function ensureDebianPackages(wanted) {
  const isMissing = () => needed.filter((need) => wanted.includes(need.package) && !need.present());
  const missing = isMissing().map((need) => need.package);
  if (missing.length === 0) return;
  const command = `apt-get install -y --no-install-recommends ${missing.join(' ')}`;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    throw new Error(
      `The tests need ${missing.join(' and ')}, which this machine does not have.\n` +
        `On Debian: sudo ${command}\n` +
        'A browser in another place: CHROMIUM_PATH=/path/to/chromium npm test',
    );
  }
  console.log(`Installing ${missing.join(' and ')} from Debian; this happens once.`);
  run('apt-get update -qq');
  run(command);
  const still = isMissing().map((need) => need.package);
  if (still.length > 0) throw new Error(`Debian's ${still.join(' and ')} did not come; see above.`);
}

/** @param {string} command */
function run(command) {
  const [program = '', ...args] = command.split(' ');
  const { status } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) throw new Error(`'${command}' failed; see above.`);
}
