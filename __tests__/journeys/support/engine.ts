import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type {
  BrowserContext,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test';
import type { ManagedBrowser } from '../managers/manager';
import { userBrowser } from './userBrowser';

const engines = ['chromium', 'firefox', 'webkit'] as const;
type Engine = (typeof engines)[number];

const asked = process.env['JOURNEYS_ENGINE'] ?? 'chromium';

/** The engine that the journeys run in: `JOURNEYS_ENGINE`, or Chromium. */
export const engine: Engine =
  engines.find((one) => one === asked) ??
  (() => {
    throw new Error(`JOURNEYS_ENGINE must be one of ${engines.join(', ')}, not '${asked}'.`);
  })();

/** WebKitGTK is driven over WebDriver, the others by Playwright. */
export const isDriven = engine === 'webkit';

/**
 * Whether the browser severs every blank window that a page with our opener policy (`same-origin-allow-popups`) sends to a provider,
 * also to one without a policy, which should keep its opener: `closed` then reads as true.
 */
export const seversWindows = engine === 'webkit';

/** A phone, as far as the engine's driver can make one: Chromium's has a finger and reads `<meta name="viewport">`. */
export function phoneOptions(viewport: { readonly width: number; readonly height: number }) {
  return engine === 'chromium'
    ? { viewport, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
    : { viewport };
}

/** What a user, or a company's policy, may have set in a browser. */
export type UserSetting = 'no cookies' | 'no clipboard' | 'third-party cookies';

export interface EngineOptions {
  /** What the user has set in the browser; without it, everything is as it came. */
  readonly userSetting: UserSetting | null;
}

/** A browser with its own profile on disk; Playwright's contexts are private windows, which store less. */
export interface Profile {
  readonly context: BrowserContext;
  /** Closes the browser and deletes the profile. */
  readonly close: () => Promise<void>;
}

export type EngineTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & EngineOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>;

type PlaywrightOptions = Partial<PlaywrightTestOptions & PlaywrightWorkerOptions>;

/** How an engine other than Chromium is driven. What is missing is as in Chromium. */
export interface Driver {
  readonly options: PlaywrightOptions;
  /** Starts the browser with a fresh profile that has this setting. */
  readonly openProfile?: (setting: UserSetting, baseURL: string) => Promise<Profile>;
  /** Starts the browser with an empty profile and its password manager. */
  readonly openManaged?: (baseURL: string) => Promise<ManagedBrowser>;
  /** The test whose pages and contexts are the driver's. */
  readonly test?: EngineTest;
  /** What may be expected of the driver's pages and locators; `undefined` for anything else. */
  readonly expect?: (actual: unknown) => object | undefined;
}

const drivers = path.resolve(__dirname, '../../../packages/workbench/engines');

/** Whether there are drivers of other engines: only the workbench has them. */
export const hasDrivers = existsSync(drivers);

export function driverOf(name: Exclude<Engine, 'chromium'>): Driver {
  if (!hasDrivers) throw new Error(`The driver of ${name} is in ${drivers}, which does not exist.`);
  return (createRequire(__filename)(path.join(drivers, `${name}.ts`)) as { readonly driver: Driver }).driver;
}

/** The driver of the engine that was asked for. */
export const driver: Driver =
  engine === 'chromium' ? { options: { launchOptions: userBrowser() } } : driverOf(engine);
