import { cookieNames, createCookieJar, keepsCookies } from '@vestibule/client/cookies';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { createChunk } from '../../chunk';
import type { Clipboard, Clock, CookieJar, EventStream, Locks, Ports } from '../ports';
import { createVault } from '../vault';
import { sha256Hex } from './crypto';
import { createLog } from './log';
import { createNavigation } from './navigation';
import { createPageLife } from './pageLife';
import { nextTask } from './nextTask';
import { createParentFrame } from './parentFrame';
import { createTextStorage, createOauthStates } from './storage';
import { createBroadcast, createPopup } from './windows';

/** Makes the real ports; called once, at the start of the page. */
export function createBrowserPorts(
  config: Pick<AppConfig, 'cookies' | 'parentOrigins'>,
  browser: Window & typeof globalThis,
): Ports {
  const clock = createClock(browser);
  const cookies = createCookies(browser, config.cookies);
  const pageLife = createPageLife(browser);
  const vault = createVault();
  const storagePrefix = `${config.cookies.prefix}-`;
  // This is not in a saga, because a page in the back/forward cache must not keep secrets, whatever the sagas do.
  pageLife.subscribe((event) => {
    if (event === 'left') vault.dropAll();
  });
  return {
    // The name of the main script has a hash that covers all other files.
    build: browser.document.querySelector<HTMLScriptElement>('script[src]')?.src ?? '',
    broadcast: createBroadcast(browser),
    clipboard: createClipboard(browser),
    documents: async () => (await documentsChunk.load()).createDocuments(browser),
    clock,
    cookies,
    // Without its chunk no cookie is expired.
    expireSessionCookies: () => signInPorts.load().then((ports) => ports.expireSessionCookies(browser), noop),
    fillTextedCode: async (signal) => await (await signInPorts.load()).fillTextedCode(browser, signal),
    makeOauthSecrets: async () => await (await signInPorts.load()).makeOauthSecrets(),
    oauthStates: createOauthStates(browser, config.cookies),
    popup: createPopup(browser),
    navigation: createNavigation(browser),
    parentFrame: createParentFrame(browser, config.parentOrigins, config.cookies.domain),
    storageAccess: async () => (await storageAccessChunk.load()).createStorageAccess(browser),
    passkeys: async () => (await passkeysChunk.load()).createPasskeys(browser),
    pageLife,
    eventStream: createLoadedEventStream(browser),
    locks: createLoadedLocks(browser, cookies),
    sha256Hex,
    vault,
    storage: {
      tab: createTextStorage(() => browser.sessionStorage, storagePrefix),
      browser: createTextStorage(() => browser.localStorage, storagePrefix),
    },
    random: Math.random,
    log: createLog(browser.console),
    sendReport: (url, report) =>
      sendReportChunk
        .load()
        .then(({ sendReport }) => sendReport(browser, url, report))
        .catch(noop),
  };
}

/** The cookies of the family. */
export function createCookies(browser: Window, config: AppConfig['cookies']): CookieJar {
  return {
    ...createCookieJar(browser, config),
    enabled: () => keepsCookies(browser, config),
    names: () => cookieNames(browser),
  };
}

const locksChunk = createChunk(() => import(/* webpackChunkName: "session" */ '@vestibule/client/lease'));
const eventStreamChunk = createChunk(
  () => import(/* webpackChunkName: "events" */ '@vestibule/client/eventStream'),
);
const signInPorts = createChunk(() => import(/* webpackChunkName: "method-step" */ './signInPorts'));
const documentsChunk = createChunk(() => import(/* webpackChunkName: "recovery-codes" */ './documents'));
const storageAccessChunk = createChunk(() => import(/* webpackChunkName: "frame" */ './storageAccess'));
const passkeysChunk = createChunk(() => import(/* webpackChunkName: "passkeys" */ './passkeys'));
const sendReportChunk = createChunk(() => import(/* webpackChunkName: "crash" */ './sendReport'));
const noop = () => undefined;

/** The locks, from the chunk of the polling. Only a refresh needs them, and then that chunk has been loaded. */
function createLoadedLocks(browser: Window, cookies: CookieJar): Locks {
  let locks: Locks | undefined;
  return {
    tryRun: async (name, work) => {
      const { createBrowserLocks } = await locksChunk.load();
      locks ??= createBrowserLocks(browser, cookies);
      return await locks.tryRun(name, work);
    },
  };
}

/** The event stream, in a chunk that only the extension `events` loads. */
function createLoadedEventStream(browser: Window & typeof globalThis): EventStream {
  const load = async () => (await eventStreamChunk.load()).createEventStream(browser);
  return {
    hold: async (name, signal) => await (await load()).hold(name, signal),
    read: async (request, listener) => await (await load()).read(request, listener),
  };
}

/** The browser's two clocks, both in milliseconds, and its timer. */
function createClock({ performance, setTimeout }: Pick<Window, 'performance' | 'setTimeout'>): Clock {
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    pause: async (ms) => {
      if (ms === 0) await nextTask();
      else await new Promise((resolve) => setTimeout(resolve, ms));
    },
  };
}

/**
 * The clipboard. Copying is refused without a secure context, if the user or the parent (`allow="clipboard-write"`) forbids
 * it, and outside the turn of a click.
 */
export function createClipboard({ navigator }: Pick<Window, 'navigator'>): Clipboard {
  return {
    copy: async (text) => {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch {
        // `navigator.clipboard` may be missing, although its type does not say so.
        return false;
      }
    },
  };
}
