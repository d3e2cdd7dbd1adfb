import type { Deps } from '@shared/deps';
import { call } from '@shared/sagas/call.saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { cookieNames } from './cookieNames';
import type { CookieDeps } from './sessionCookies';

/**
 * What came of writing:
 * - `refused`: the browser does not take what was written (too large, cookies switched off, wrong domain)
 * - `blocked`: a copy that no script can see or overwrite holds the name
 */
export type Kept = 'kept' | 'refused' | 'blocked';

/** What keeping a cookie needs of the outside. */
export type KeepDeps = CookieDeps & Pick<Deps, 'expireSessionCookies'>;

/**
 * Writes cookies of a sign-in. A sibling host may have set an HttpOnly copy under one of their names, by accident or so that
 * nobody can sign in: the host that serves the page is asked to expire it, and they are written once more.
 *
 * @param write - writes and reads back; `false`: nothing of it stayed
 */
export function* keepCookies(
  deps: KeepDeps,
  names: readonly ('session' | 'refresh' | 'setup')[],
  write: () => boolean,
): SagaGenerator<Kept> {
  if (write()) return 'kept';
  if (!names.some((name) => isBlocked(deps, name))) return 'refused';
  yield* call(deps.expireSessionCookies);
  return write() ? 'kept' : 'blocked';
}

/** The smallest cookie, under another name, is kept, and under this one it is not. */
function isBlocked({ config, cookies }: CookieDeps, name: 'session' | 'refresh' | 'setup'): boolean {
  const { prefix } = config.cookies;
  const takes = (tried: string) => {
    const taken = cookies.write(tried, '1', { kind: 'session' });
    cookies.remove(tried);
    return taken;
  };
  return takes(`${prefix}-probe`) && !takes(cookieNames(prefix)[name]);
}
