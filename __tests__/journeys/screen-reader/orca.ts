import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium, findFirefox } from '../../../scripts/setup/programs.mjs';

export type Browser = 'chromium' | 'firefox';

/** Orca has handled every event when its log has not grown for so long, ms. */
const idleMs = 500;
/** The same where it is not known whether more will be said, ms. */
const longIdleMs = 2000;
/** Longest wait for what is expected, ms. On a busy machine Firefox needs more than 20 s to start. */
const longestMs = 40_000;

/** Whether what was said so far is all that is expected. */
export type IsAll = (said: readonly string[]) => boolean;

/** Orca on a display of its own, beside a browser that is used by keyboard alone. */
export class Orca {
  /** Since the last step. */
  private log = '';
  /** Of the last step, for the report of a step that sounds different. */
  heardFrom: readonly string[] = [];
  private grewAt = 0;

  private constructor(
    private readonly home: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly processes: readonly ChildProcess[],
    private readonly openAddress: (address: string) => void,
    orca: ChildProcess,
  ) {
    orca.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.log += text;
      this.grewAt = Date.now();
    });
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
      PATH: `${path.join(home, 'bin')}:${process.env['PATH'] ?? ''}`,
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
    const orca = start('script', ['-qfec', 'orca --debug-file=/dev/tty', '/dev/null'], 'stdout');
    const command = commandOf(browser, home);
    const openAddress = (opened: string): void => {
      start(command[0], [...command[1], opened]);
    };
    const reader = new Orca(home, { ...environment }, processes, openAddress, orca);
    try {
      await reader.waitFor('Screen reader on.');
      await reader.open(address, 'entry | Username');
    } catch (error) {
      reader.close();
      throw error;
    }
    return reader;
  }

  /**
   * Opens an address as a mail program does, and waits until Orca is at the field that has the focus there. If Orca lags behind while a
   * page loads, it goes to the field without a word.
   *
   * @param field - role and name, as Orca's log has them
   */
  async open(address: string, field: string): Promise<void> {
    this.openAddress(address);
    await this.waitFor(`locusOfFocus: [${field}]`);
  }

  private async waitFor(text: string): Promise<void> {
    await this.until(() => this.log.includes(text));
    if (!this.log.includes(text))
      throw new Error(`Orca does not log '${text}', but says: ${this.take().join(' ')}`);
    await this.listen(() => true);
  }

  /** Presses keys, one after the other. */
  press(...keys: readonly string[]): void {
    this.xdotool('key', '--delay', '80', ...keys);
  }

  /** Presses a key until something of this name has the focus, at most twenty times. */
  async pressUntil(key: string, name: string): Promise<void> {
    for (let press = 0; press < 20; press += 1) {
      this.xdotool('key', key);
      await this.until(() => hasHandledFocus.test(this.log));
      if (this.take().some((said) => said.startsWith(name))) return;
    }
    throw new Error(`${key} does not reach '${name}'`);
  }

  /** Types as a person does, without waiting for the speech. */
  type(text: string, delayMs = 60): void {
    this.xdotool('type', '--delay', String(delayMs), text);
  }

  /** What is said until it is all that is expected and Orca has nothing more to do. What it says later belongs to the next step. */
  async listen(isAll: IsAll, { long = false } = {}): Promise<readonly string[]> {
    await this.until(() => isAll(spoken(this.log)));
    await this.until(() => Date.now() - this.grewAt >= (long ? longIdleMs : idleMs));
    return this.take();
  }

  private async until(condition: () => boolean): Promise<void> {
    const deadline = Date.now() + longestMs;
    while (!condition() && Date.now() < deadline) await sleep(50);
  }

  private take(): readonly string[] {
    const said = spoken(this.log);
    this.heardFrom = this.log.split(/\r?\n/u).filter((line) => isTelling.test(line));
    this.log = '';
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

function commandOf(browser: Browser, home: string): [string, readonly string[]] {
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
  return [findFirefox() ?? 'firefox', ['--profile', profile]];
}

/** No sound card, no echo of the keys, and no other Orca. */
function configureOrca(home: string): void {
  // Orca refuses to start beside another one of the same user, and knows it by `pgrep`.
  mkdirSync(path.join(home, 'bin'));
  writeFileSync(path.join(home, 'bin', 'pgrep'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
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

/** In a log: Orca has handled that an element got the focus. */
const hasHandledFocus =
  /OBJECT EVENT: object:state-changed:focused \(1,[^]*\^ PROCESS OBJECT EVENT object:state-changed:focused/u;

/** The lines of a log that tell why something was said or not. */
const isTelling =
  /SPEECH OUTPUT|Dequeued|KEY_PRESSED_EVENT: '|SCRIPT: |WEB: .*(?:[Ee]vent|[Ff]ocus|context|Dumping|Removed)|locusOfFocus from|ZOMBIE|FLOOD|DELUGE/u;

/** Of a log, what was said. */
const spoken = (log: string): readonly string[] =>
  Array.from(log.matchAll(/SPEECH OUTPUT: '([^\r\n]*)'\s*\{/gu), ([, text = '']) => text.trim()).filter(
    Boolean,
  );
