import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { cookieNames } from './sessionCookies';

/**
 * The result of writing:
 * - `refused`: the browser does not take the cookie (too large, cookies switched off, wrong domain)
 * - `blocked`: an HttpOnly cookie of a sibling host holds the name
 */
type CookieWrite = 'kept' | 'refused' | 'blocked';

type CookieName = 'session' | 'refresh' | 'setup';

/** If two sign-ins of a tab are within this time, ms, the cookies of the first may not have been kept. */
const againMs = 120_000;
const key = 'kept-cookies';

/**
 * Writes the cookies of a sign-in. A sibling host may have set an HttpOnly cookie under one of the names. The host that
 * serves the page is then asked to expire it, and the cookies are written again (docs/behaviour.md#blocked-cookies). In
 * Firefox and WebKit the page reads its own write over such a cookie, so the host is also asked at a second sign-in soon
 * after the first.
 *
 * @param write - writes and reads back; returns `false` if nothing was kept
 */
export function* writeVerifiedCookies(
  deps: Deps,
  names: readonly CookieName[],
  write: () => boolean,
): SagaGenerator<CookieWrite> {
  const { clock, storage } = deps;
  const last = Number(storage.tab.read(key));
  if (Math.abs(clock.now() - last) < againMs) yield* call(deps.expireSessionCookies);
  storage.tab.write(key, String(clock.now()));
  if (write()) return 'kept';
  if (!names.some((name) => isBlocked(deps, name))) return 'refused';
  yield* call(deps.expireSessionCookies);
  return write() ? 'kept' : 'blocked';
}

/** Whether the browser keeps a small cookie under another name, but not under this one. */
function isBlocked(deps: Deps, name: CookieName): boolean {
  const { cookies } = deps;
  const accepts = (tried: string) => {
    const accepted = cookies.write(tried, '1');
    cookies.remove(tried);
    return accepted;
  };
  const names = cookieNames(deps);
  return accepts(names.probe) && !accepts(names[name]);
}
