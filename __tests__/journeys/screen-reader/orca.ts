import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium, findFirefox } from '../../../scripts/setup/programs.mjs';

export type Browser = 'chromium' | 'firefox';

/** Speech that ends is followed by so much silence, ms. */
const quietMs = 2000;
/** The same after a press of Tab, which says one thing, ms. */
const tabQuietMs = 500;
/** Longest wait for the first word, ms. A busy machine may need several seconds for a screen. */
const firstWordMs = 20_000;

/** Orca on a display of its own, beside a browser that is used by keyboard alone. */
export class Orca {
  private log = '';
  private read = 0;

  private constructor(
    private readonly home: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly processes: readonly ChildProcess[],
    orca: ChildProcess,
  ) {
    orca.stdout?.setEncoding('utf8').on('data', (text: string) => (this.log += text));
  }

  /** Opens the address, and waits until the page has been read. */
  static async open(browser: Browser, address: string): Promise<Orca> {
    const home = mkdtempSync(path.join(tmpdir(), 'vestibule-orca-'));
    const processes: ChildProcess[] = [];
    const environment: NodeJS.ProcessEnv = {
      ...process.env,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      GNOME_ACCESSIBILITY: '1',
      PYTHONPATH: path.join(home, 'python'),
    };
    const start = (
      command: string,
      args: readonly string[],
      piped: 'stdout' | 'none' = 'none',
    ): ChildProcess => {
      const child = spawn(command, args, {
        env: environment,
        stdio: ['ignore', piped === 'stdout' ? 'pipe' : 'ignore', 'ignore'],
        detached: true,
      });
      processes.push(child);
      return child;
    };
    const display = start('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x900x24'], 'stdout');
    environment['DISPLAY'] = `:${await firstLine(display)}`;
    const bus = start('dbus-daemon', ['--session', '--nofork', '--print-address=1'], 'stdout');
    environment['DBUS_SESSION_BUS_ADDRESS'] = await firstLine(bus);
    start('openbox', []);
    configureOrca(home);
    // Orca buffers its log, except for a terminal; `script` is one.
    const orca = start('script', ['-qfec', 'orca --replace --debug-file=/dev/tty', '/dev/null'], 'stdout');
    const reader = new Orca(home, { ...environment }, processes, orca);
    await reader.listen();
    start(...commandOf(browser, home, address));
    await reader.listen();
    return reader;
  }

  /** Presses keys, one after the other, and returns what is said until it is quiet. */
  async press(...keys: readonly string[]): Promise<readonly string[]> {
    if (keys.length > 0) this.xdotool('key', '--delay', '80', ...keys);
    return await this.listen();
  }

  /** Presses a key until something of this name has the focus, at most twenty times. */
  async pressUntil(key: string, name: string): Promise<void> {
    for (let press = 0; press < 20; press += 1) {
      this.xdotool('key', key);
      if ((await this.listen(tabQuietMs)).some((said) => said.startsWith(name))) return;
    }
    throw new Error(`${key} does not reach '${name}'`);
  }

  /** Opens another page in the same tab. */
  async go(address: string): Promise<readonly string[]> {
    this.xdotool('key', 'ctrl+l');
    await this.listen();
    this.type(address);
    this.xdotool('key', 'Return');
    return await this.listen();
  }

  /** Types as a person does, without waiting for the speech. */
  type(text: string, delayMs = 60): void {
    this.xdotool('type', '--delay', String(delayMs), text);
  }

  private async listen(quiet = quietMs): Promise<readonly string[]> {
    const deadline = Date.now() + firstWordMs;
    let heard = spoken(this.log.slice(this.read)).length;
    let quietSince = Date.now();
    while (heard === 0 ? Date.now() < deadline : Date.now() - quietSince < quiet) {
      await sleep(100);
      const count = spoken(this.log.slice(this.read)).length;
      if (count > heard) quietSince = Date.now();
      heard = count;
    }
    const said = spoken(this.log.slice(this.read));
    this.read = this.log.length;
    return said;
  }

  close(): void {
    for (const { pid } of this.processes.toReversed()) {
      try {
        if (pid !== undefined) process.kill(-pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    }
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  private xdotool(...args: readonly string[]): void {
    const { status, stderr } = spawnSync('xdotool', args, { env: this.environment, encoding: 'utf8' });
    if (status !== 0) throw new Error(`xdotool ${args[0] ?? ''}: ${stderr}`);
  }
}

function commandOf(browser: Browser, home: string, address: string): [string, readonly string[]] {
  const profile = path.join(home, 'profile');
  mkdirSync(path.join(profile, 'Default'), { recursive: true });
  if (browser === 'chromium') {
    // The offer to save a password is said as well.
    const preferences = { credentials_enable_service: false, profile: { password_manager_enabled: false } };
    writeFileSync(path.join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
    return [
      findChromium() ?? 'chromium',
      [
        '--no-sandbox',
        '--force-renderer-accessibility',
        '--no-first-run',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-features=Translate',
        '--password-store=basic',
        `--user-data-dir=${profile}`,
        '--window-size=1200,850',
        address,
      ],
    ];
  }
  const settings = {
    'accessibility.force_disabled': -1,
    'browser.aboutwelcome.enabled': false,
    'browser.shell.checkDefaultBrowser': false,
    'browser.startup.homepage_override.mstone': 'ignore',
    'datareporting.policy.dataSubmissionEnabled': false,
    'signon.rememberSignons': false,
  };
  writeFileSync(
    path.join(profile, 'user.js'),
    Object.entries(settings)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  );
  return [findFirefox() ?? 'firefox', ['--profile', profile, '--no-remote', address]];
}

/** No sound card, and no echo of the keys. */
function configureOrca(home: string): void {
  // Without the speech server, which waits for a sound card.
  mkdirSync(path.join(home, 'python'));
  writeFileSync(path.join(home, 'python', 'speechd.py'), 'raise ImportError\n');
  const settings = path.join(home, '.local', 'share', 'orca');
  mkdirSync(settings, { recursive: true });
  const general = { enableKeyEcho: false, enableEchoByCharacter: false, enableEchoByWord: false };
  writeFileSync(
    path.join(settings, 'user-settings.conf'),
    JSON.stringify({
      general: { ...general, startingProfile: ['Default', 'default'] },
      pronunciations: {},
      keybindings: {},
      profiles: {
        default: { profile: ['Default', 'default'], ...general, pronunciations: {}, keybindings: {} },
      },
    }),
  );
}

async function firstLine(child: ChildProcess): Promise<string> {
  return await new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      const [line, rest] = text.split('\n');
      if (rest !== undefined) resolve(line ?? '');
    });
    child.on('error', reject);
    child.on('exit', () => {
      reject(new Error('The program has ended'));
    });
  });
}

/** Of a log, what was said. */
const spoken = (log: string): readonly string[] =>
  Array.from(log.matchAll(/SPEECH OUTPUT: '([^\r\n]*)'\s*\{/gu), ([, text = '']) => text.trim()).filter(
    Boolean,
  );
