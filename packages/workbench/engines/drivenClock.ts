import { readFileSync } from 'node:fs';
import type { DrivenContext } from './drivenContext';

/** What the clock is in every page: ahead of the real one by so much, or stopped. */
type Time = { readonly ahead: number } | { readonly stoppedAt: number };

/** The clock in the page, in addition to the faked timers. */
interface PageClock {
  /** Calls the timers that become due, one after the other. */
  readonly run: (ms: number) => Promise<unknown>;
  /** Calls each timer that became due once, as after a sleep. */
  readonly jump: (ms: number) => void;
  readonly stop: (stopped: boolean) => void;
}

interface FakeTimers {
  readonly install: (options: object) => {
    readonly tick: (ms: number) => void;
    readonly tickAsync: (ms: number) => Promise<unknown>;
    readonly jump: (ms: number) => void;
  };
}

const library = readFileSync(require.resolve('@sinonjs/fake-timers'), 'utf8');

/** The library is a CommonJS module, and needs of others only the global object. */
const librarySource = `(() => {
  const module = { exports: {} };
  const need = (name) => {
    if (name === '@sinonjs/commons') return { global: globalThis };
    throw new Error(name);
  };
  ((module, exports, require) => { ${library} })(module, module.exports, need);
  return module.exports;
})()`;

/** Runs in the page, so it refers to nothing outside itself. */
function startInPage(timers: FakeTimers, now: number, isStopped: boolean): void {
  const page = window as unknown as { journeyClock?: PageClock };
  if (page.journeyClock !== undefined) return;
  const realNow = performance.now.bind(performance);
  const realInterval = window.setInterval.bind(window);
  const clock = timers.install({
    now,
    toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Intl'],
  });
  let stopped = isStopped;
  let seen = realNow();
  realInterval(() => {
    const passed = Math.floor(realNow() - seen);
    seen += passed;
    if (!stopped) clock.tick(passed);
  }, 20);
  page.journeyClock = {
    run: async (ms) => await clock.tickAsync(ms),
    jump: (ms) => {
      clock.jump(ms);
    },
    stop: (value) => {
      stopped = value;
    },
  };
}

const clockTime = /^(?:\d+:){0,2}\d+$/;

/** Milliseconds, or `hh:mm:ss`, `mm:ss`, `ss`. */
function milliseconds(ticks: number | string): number {
  if (typeof ticks === 'number') return ticks;
  if (!clockTime.test(ticks)) throw new Error(`'${ticks}' is no time.`);
  return ticks.split(':').reduce((sum, part) => 60 * sum + Number(part), 0) * 1000;
}

/** Playwright's clock over WebDriver: fake timers in every page, also in those that are opened later. */
export class DrivenClock {
  private time: Time | undefined;

  constructor(private readonly context: DrivenContext) {}

  /** The script for the start of every page, which is empty until the clock is installed. */
  readonly script = (): string => {
    if (this.time === undefined) return '';
    return `(${startInPage.toString()})(${librarySource}, ${String(this.now())}, ${String(this.isStopped())});`;
  };

  async install() {
    this.time ??= { ahead: 0 };
    await this.inPages(`() => { ${this.script()} }`);
  }
  async runFor(ticks: number | string) {
    await this.move(milliseconds(ticks), 'run');
  }
  async fastForward(ticks: number | string) {
    await this.move(milliseconds(ticks), 'jump');
  }
  async pauseAt(time: number) {
    await this.fastForward(time - this.now());
    this.time = { stoppedAt: time };
    await this.tell('stop(true)');
  }
  async resume() {
    this.time = { ahead: this.now() - Date.now() };
    await this.tell('stop(false)');
  }

  private isStopped(): boolean {
    return this.time !== undefined && 'stoppedAt' in this.time;
  }
  private now(): number {
    if (this.time === undefined) throw new Error('The clock is not installed.');
    return 'ahead' in this.time ? Date.now() + this.time.ahead : this.time.stoppedAt;
  }
  private async move(ms: number, how: 'run' | 'jump') {
    if (this.time === undefined) await this.install();
    const now = this.now() + ms;
    this.time = this.isStopped() ? { stoppedAt: now } : { ahead: now - Date.now() };
    await this.tell(`${how}(${String(ms)})`);
  }
  private async tell(words: string) {
    await this.inPages(`() => window.journeyClock?.${words}`);
  }
  private async inPages(source: string) {
    await Promise.all(this.context.pages().map(async (page) => await page.run(source)));
  }
}
