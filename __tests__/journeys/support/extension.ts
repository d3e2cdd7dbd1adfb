import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import webpack from 'webpack';
import { expect } from './test';

interface Logged {
  readonly type: string;
  readonly meta?: { readonly cause: string };
}

/** What the panel of the extension knows of the page's log, and writes as its export. */
export interface Panel {
  readonly actionsById: Readonly<Record<number, { readonly action: Logged; readonly timestamp: number }>>;
  readonly stagedActionIds: readonly number[];
  readonly currentStateIndex: number;
}

/** As the page tells it: the large parts are JSON. */
interface Told {
  readonly payload: object;
  readonly actionsById: string;
  readonly computedStates: string;
}

/** The extension of one page, and its panel. */
export class Extension {
  private static script: string | undefined;

  constructor(private readonly page: Page) {}

  /** Puts it into every page that is opened from now on. */
  async install(): Promise<void> {
    Extension.script ??= await bundle();
    await this.page.addInitScript(Extension.script);
    await this.page.addInitScript(() => {
      window.addEventListener('message', ({ data }: MessageEvent<{ source?: string; type: string }>) => {
        if (data.source === '@devtools-page') Object.assign(window, { [`panel${data.type}`]: data });
      });
    });
  }

  async send(message: object): Promise<void> {
    await this.page.evaluate((given) => {
      window.postMessage({ source: '@devtools-extension', ...given }, '*');
    }, message);
  }

  async panel(): Promise<Panel> {
    await this.send({ type: 'START' });
    const told = await this.page.waitForFunction(
      () => (window as unknown as { panelSTATE: Told }).panelSTATE,
    );
    const { payload, actionsById, computedStates } = await told.jsonValue();
    const read = (text: string): unknown => JSON.parse(text);
    return { ...payload, actionsById: read(actionsById), computedStates: read(computedStates) } as never;
  }

  /** The person presses Jump next to the first event of this type, or moves the slider to the last event. */
  async jump(type?: string): Promise<void> {
    const { actionsById, stagedActionIds } = await this.panel();
    const index =
      type === undefined
        ? stagedActionIds.length - 1
        : stagedActionIds.findIndex((id) => actionsById[id]?.action.type === type);
    expect(index, type).toBeGreaterThan(0);
    await this.send({
      type: 'DISPATCH',
      payload: { type: 'JUMP_TO_ACTION', actionId: stagedActionIds[index] },
    });
    await expect.poll(async () => (await this.panel()).currentStateIndex).toBe(index);
  }

  async import(file: string): Promise<void> {
    await this.send({ type: 'IMPORT', state: file });
  }
}

/** The stand-in and what it imports, as one script. */
async function bundle(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'vestibule-extension-'));
  await new Promise<void>((resolve, reject) => {
    webpack(
      {
        mode: 'production',
        entry: path.join(__dirname, 'devToolsExtension.js'),
        output: { path: folder, filename: 'extension.js' },
        performance: { hints: false },
      },
      (error, stats) => {
        if (error ?? stats?.hasErrors()) reject(error ?? new Error(stats?.toString()));
        else resolve();
      },
    );
  });
  return readFileSync(path.join(folder, 'extension.js'), 'utf8');
}
