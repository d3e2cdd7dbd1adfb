import type { AppConfig } from '../appConfig';
import type { Platform } from '../platform';
import { createVault } from '../vault';
import { createBroadcast } from './broadcast';
import { createClipboard } from './clipboard';
import { createClock } from './clock';
import { createCookieJar } from './cookieJar';
import { expireSessionCookies } from './expireSessionCookies';
import { createLease } from './lease';
import { createLocks } from './locks';
import { createLog } from './log';
import { createNavigation } from './navigation';
import { createNotes } from './notes';
import { createOauthStates } from './oauthStates';
import { createPageLife } from './pageLife';
import { createParentFrame } from './parentFrame';
import { createPopup } from './popup';
import { randomId } from './randomId';
import { sha256Hex } from './sha256Hex';

/** Makes the real ports; called once, at the start of the page. */
export function createBrowserPlatform(
  config: Pick<AppConfig, 'cookies' | 'parentOrigins'>,
  browser: Window & typeof globalThis,
): Platform {
  const clock = createClock(browser);
  const cookies = createCookieJar(browser, config.cookies);
  const pageLife = createPageLife(browser);
  const vault = createVault();
  const notePrefix = `${config.cookies.prefix}-`;
  // Here and not in a saga: a page in the back/forward cache must not keep secrets, whatever state the sagas are in.
  pageLife.subscribe((event) => {
    if (event === 'left') vault.dropAll();
  });
  const lease = createLease({
    cookies,
    clock,
    pageLife,
    newId: () => randomId(browser.crypto),
    pause: clock.pause,
    random: Math.random,
  });
  return {
    broadcast: createBroadcast(browser),
    clipboard: createClipboard(browser),
    clock,
    cookies,
    expireSessionCookies: () => expireSessionCookies(browser),
    makeOauthSecrets: async () => await (await import('./oauthSecrets')).makeOauthSecrets(),
    oauthStates: createOauthStates(browser, config.cookies),
    popup: createPopup(browser),
    navigation: createNavigation(browser),
    parentFrame: createParentFrame(browser, config.parentOrigins),
    pageLife,
    locks: createLocks(lockManagerOf(browser), pageLife, lease),
    sha256Hex,
    vault,
    notes: {
      tab: createNotes(() => browser.sessionStorage, notePrefix),
      browser: createNotes(() => browser.localStorage, notePrefix),
    },
    random: Math.random,
    log: createLog(browser.console),
  };
}

/** The type says that it is always there; outside a secure context it is not. */
function lockManagerOf({ navigator }: Window): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}
