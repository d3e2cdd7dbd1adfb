import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { freePorts } from '@vestibule/contract/testing/freePorts';
import { findWebKit } from '../../../scripts/setup/programs.mjs';
import { WebDriverSession } from './webDriver';

function installedWebKit() {
  const found = findWebKit();
  if (found === null) throw new Error('WebKitGTK, its driver or Xvfb is missing.');
  return found;
}

/** The time zone of the other engines (playwright.config.ts). */
const timezone = 'America/New_York';

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const gone = once(child, 'exit');
  child.kill();
  await gone;
}

/** Makes the buttons around the page smaller, because otherwise a window could not be as narrow as a phone. */
const narrow =
  'toolbar, toolbar *, headerbar, headerbar *, entry, button { min-width: 0; padding: 0; margin: 0; font-size: 1px; -gtk-icon-size: 1px; }';

/** A screen in memory, as WebKitGTK has no mode without one, and the user's settings for what is drawn on it. */
export interface Screen {
  readonly display: string;
  /** `XDG_CONFIG_HOME` */
  readonly settings: string;
}

export async function openScreen(): Promise<Screen & { readonly close: () => Promise<void> }> {
  const settings = mkdtempSync(path.join(tmpdir(), 'settings-'));
  mkdirSync(path.join(settings, 'gtk-3.0'));
  writeFileSync(path.join(settings, 'gtk-3.0', 'gtk.css'), narrow);
  const screen = spawn(
    installedWebKit().screen,
    ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    },
  );
  const [number] = (await once(screen.stdio[3] as Readable, 'data')) as [Buffer];
  return {
    display: `:${String(number).trim()}`,
    settings,
    close: async () => {
      await stop(screen);
      rmSync(settings, { recursive: true, force: true });
    },
  };
}

interface OpenWebKit {
  readonly session: WebDriverSession;
  /** Ends the browser and its driver. */
  readonly close: () => Promise<void>;
}

/** Starts a WebKit with an empty profile in memory, and arguments for what a user may set. */
export async function openWebKit(...how: Parameters<typeof start>): Promise<OpenWebKit> {
  // Rarely a driver waits for its browser without end. Then another is started.
  return await start(...how).catch(() => start(...how));
}

async function start(
  { display, settings }: Screen,
  proxy: string,
  args: readonly string[],
): Promise<OpenWebKit> {
  const [port = 0] = await freePorts(1);
  const { driver: program, browser } = installedWebKit();
  const driver = spawn(program, [`--port=${String(port)}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, XDG_CONFIG_HOME: settings, TZ: timezone },
  });
  const address = `http://127.0.0.1:${String(port)}`;
  const end = async () => await stop(driver);
  try {
    await ready(address, driver);
    const session = await WebDriverSession.open(address, {
      'webkitgtk:browserOptions': { binary: browser, args: ['--automation', ...args] },
      proxy: { proxyType: 'manual', httpProxy: proxy },
      acceptInsecureCerts: true,
      // Otherwise every command would wait for the page to load, without end for a page from the back/forward cache.
      pageLoadStrategy: 'none',
      // The driver's own limit of a script is a timer of the page, which a test's clock would run out.
      timeouts: { script: null, implicit: 0 },
    });
    return {
      session,
      close: async () => {
        await session.close().catch(() => undefined);
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function ready(address: string, driver: ChildProcess): Promise<void> {
  while (driver.exitCode === null) {
    const answer = await fetch(`${address}/status`).catch(() => null);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`WebKitWebDriver ended with ${String(driver.exitCode)}.`);
}
