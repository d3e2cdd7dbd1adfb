import { createHash } from 'node:crypto';
import { reportCrash } from '@app/crash/reportCrash';
import { featuresOf } from '@app/features';
import type { Deps } from '@shared/deps';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { createVault } from '@shared/ports/vault';
import { testConfig } from './builders';
import type { PageReport } from '@shared/ports/ports';
import { createFakeApi, type FakeApi } from './fakeApi';
import { createFakeCookieJar, type FakeCookieJar } from '@vestibule/client/testing/fakeCookieJar';
import { createFakeBroadcast, createFakeOauthStates, createFakePopup, type FakePopup } from './fakePopups';
import { createFakeNavigation, type FakeNavigation } from './fakeNavigation';
import {
  createFakeClipboard,
  createFakeDocuments,
  createFakeClock,
  createFakeEventStream,
  createFakeLocks,
  createFakeLog,
  createFakePasskeys,
  createFakeStorage,
  createFakePageLife,
  createFakeParentFrame,
  createFakeStorageAccess,
  type FakeClipboard,
  type FakeClock,
  type FakeDocuments,
  type FakeEmbedding,
  type FakeEventStream,
  type FakeLog,
  type FakePageLife,
  type FakePasskeys,
  type FakeParentFrame,
  type FakeStorageAccess,
} from './fakePorts';

/** All ports of one tab, as fakes with the controls that tests need. The vault is the real one. */
export interface FakeDeps extends Deps {
  readonly api: FakeApi;
  readonly clipboard: FakeClipboard;
  readonly clock: FakeClock;
  readonly cookies: FakeCookieJar;
  readonly eventStream: FakeEventStream;
  readonly expireSessionCookies: jest.Mock<Promise<void>, []>;
  readonly fillTextedCode: jest.Mock<Promise<boolean>, [AbortSignal]>;
  readonly navigation: FakeNavigation;
  readonly parentFrame: FakeParentFrame;
  /** What `documents` resolves to. */
  readonly paper: FakeDocuments;
  /** Of this tab; what `storageAccess` resolves to. */
  readonly frameAccess: FakeStorageAccess;
  readonly pageLife: FakePageLife;
  readonly log: FakeLog;
  /** What `passkeys` resolves to. */
  readonly authenticator: FakePasskeys;
  readonly popup: FakePopup;
  readonly sendReport: jest.Mock<Promise<void>, [string, PageReport]>;
}

/** How a tab is opened. */
export interface TabOptions {
  /** Path, query and fragment at which the tab opens; `/login` by default. */
  readonly path?: string;
  /** Host that serves the page, with its port; the login host by default. */
  readonly host?: string;
  /** The parent that embeds the page; none by default. */
  readonly embedding?: FakeEmbedding;
  /** Keys of the configuration that differ from `testConfig()`. */
  readonly config?: Partial<AppConfig>;
  /** Ports that replace the fakes. */
  readonly overrides?: Partial<FakeDeps>;
}

/** One browser: its tabs share only the cookies and the locks. */
export type FakeBrowser = ReturnType<typeof fakeBrowser>;

/** Creates a browser without tabs. */
export function fakeBrowser() {
  const jar = createFakeCookieJar();
  /** Names of the locks that are currently held. */
  const heldLocks = new Set<string>();
  const shared = createSharedPorts();
  // This host has compared the browser's clock with the service's before, and found it right.
  shared.storage.write('clock-skew', '0');
  const tab = (options: TabOptions = {}): FakeDeps => openTab(jar, heldLocks, shared, options);
  return { jar, heldLocks, ...shared, tab };
}

/** The ports of a single tab in its own browser. */
export function fakeDeps(options: TabOptions = {}): FakeDeps {
  return fakeBrowser().tab(options);
}

/** Predictable secrets: state-1, verifier-1 and so on. */
function countedSecrets(): Deps['makeOauthSecrets'] {
  let flows = 0;
  return async () => {
    flows += 1;
    const n = String(flows);
    return await Promise.resolve({
      state: `state-${n}`,
      nonce: `nonce-${n}`,
      verifier: `verifier-${n}`,
      challenge: `challenge-${n}`,
    });
  };
}

const createSharedPorts = () => ({
  broadcast: createFakeBroadcast(),
  oauthStates: createFakeOauthStates(),
  storage: createFakeStorage(),
  eventStream: createFakeEventStream(),
});

function openTab(
  jar: FakeCookieJar,
  heldLocks: Set<string>,
  shared: ReturnType<typeof createSharedPorts>,
  options: TabOptions,
): FakeDeps {
  const { path = '/login', embedding = 'none', overrides = {} } = options;
  const config = testConfig(options.config);
  const pageLife = createFakePageLife();
  const vault = createVault();
  const frameAccess = createFakeStorageAccess();
  const authenticator = createFakePasskeys();
  // As the real platform does.
  pageLife.subscribe((event) => {
    if (event === 'left') vault.dropAll();
  });
  const paper = createFakeDocuments();
  const deps: Omit<FakeDeps, 'report'> = {
    build: 'build-1',
    api: createFakeApi(),
    broadcast: shared.broadcast,
    oauthStates: shared.oauthStates,
    popup: createFakePopup(),
    makeOauthSecrets: countedSecrets(),
    clipboard: createFakeClipboard(),
    paper,
    documents: () => Promise.resolve(paper),
    clock: createFakeClock(),
    config,
    features: featuresOf(config),
    cookies: jar,
    // A host that does not expire cookies.
    expireSessionCookies: jest.fn(() => Promise.resolve()),
    eventStream: shared.eventStream,
    locks: createFakeLocks(heldLocks, pageLife),
    log: createFakeLog(),
    navigation: createFakeNavigation(path, options.host ?? new URL(config.signOnUrl).host),
    pageLife,
    authenticator,
    passkeys: () => Promise.resolve(authenticator),
    // A browser that reads no text messages.
    fillTextedCode: jest.fn((_signal: AbortSignal) => Promise.resolve(false)),
    // Pure computation: the real one, by Node.
    sha256Hex: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
    parentFrame: createFakeParentFrame(embedding),
    frameAccess,
    storageAccess: () => Promise.resolve(frameAccess),
    vault,
    sendReport: jest.fn((_url: string, _report: PageReport) => Promise.resolve()),
    storage: { tab: createFakeStorage(), browser: shared.storage },
    // No jitter: every delay has its maximum.
    random: () => 1,
    ...overrides,
  };
  return { ...deps, report: (where, error) => reportCrash(deps, where, error) };
}
