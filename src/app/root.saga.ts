import { authSaga } from '@features/auth';
import {
  allowConfigured,
  checkFrameStorage,
  pageOpened,
  restoreSession,
  sessionSaga,
  type Embedding,
} from '@features/session';
import { brandKey, readBrandQuery, writeBrandQuery } from '@shared/brand/brand';
import { hostRecognised, selectBrandFacts } from '@shared/brand/brand.slice';
import type { Deps } from '@shared/deps';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { unframedSegments } from '@vestibule/contract/pageHeaders';
import type { AllowedUrl } from '@shared/ports/ports';
import { locationChanged } from '@shared/routing/location.slice';
import { call } from '@shared/sagas/call.saga';
import { join, put, select, takeEvery } from 'typed-redux-saga';
import type { SagaGenerator } from 'typed-redux-saga';
import { reload } from './crash/reload.saga';
import { supervise } from './crash/supervise.saga';
import { findRoute } from './routes';
import { runRoutes } from './runRoutes.saga';
import { sayIfSlow } from './wait.saga';

/**
 * Starts the sagas that run as long as the page, each under supervision. The session is read before the first address is
 * dispatched, and all this happens before the first paint.
 */
export function* rootSaga(deps: Deps): SagaGenerator<void> {
  const embedding = embeddingOf(deps);
  yield* put(pageOpened({ embedding }));
  const keptLook = deps.storage.tab.read(brandKey);
  yield* put(
    hostRecognised({
      supplierHost: deps.config.supplierHosts.includes(deps.navigation.host()),
      ...(keptLook !== null && readBrandQuery(keptLook)),
    }),
  );
  if (embedding === 'untrusted') return;
  const { host, current, leave } = deps.navigation;
  const shortLink = shortLinkTarget({ host: host(), pathname: current().pathname }, deps.config);
  if (shortLink) {
    yield* call(leave, shortLink);
    return;
  }

  for (const { name, early } of deps.features) {
    const saga = early?.loaded()?.saga;
    if (saga) yield* call(supervise, deps, name, () => saga(deps));
  }
  yield* call(supervise, deps, 'reload', () => reload(deps));
  yield* call(supervise, deps, 'look', function* () {
    yield* takeEvery(locationChanged, keepLook, deps);
  });
  // This comes before the cookies are read, because the browser may have granted them to the frame on an earlier visit.
  const waitForPress = (wait: () => SagaGenerator<void>) => supervise(deps, 'gainStorage', wait);
  yield* join(yield* call(supervise, deps, 'checkFrameStorage', () => checkFrameStorage(deps, waitForPress)));
  yield* call(supervise, deps, 'session', () => sessionSaga(deps));
  yield* call(supervise, deps, 'auth', () => authSaga(deps));
  // A screen that needs a session waits until the session is known. This takes a call if the browser's clock may be wrong.
  const match = findRoute(current().pathname, deps.features);
  const isPublic = match?.route.access === 'public';
  const restore = () => sayIfSlow('session', () => restoreSession(deps, isPublic));
  yield* join(yield* call(supervise, deps, 'restore', restore));
  yield* call(supervise, deps, 'routes', () => runRoutes(deps));
}

/** Stores the look for the next page of this tab, whose address may lack the query. */
function* keepLook(
  { storage }: Deps,
  { payload: { search } }: ReturnType<typeof locationChanged>,
): SagaGenerator<void> {
  if (Object.keys(readBrandQuery(search)).length > 0)
    storage.tab.write(brandKey, writeBrandQuery(yield* select(selectBrandFacts)));
}

/** No parent is trusted at an address that is never framed. */
function embeddingOf({ parentFrame, navigation, config }: Deps): Embedding {
  if (!parentFrame.embedded) return 'none';
  const [, segment = ''] = navigation.current().pathname.split('/');
  const isFramed = !unframedSegments.has(segment) && !config.shortLinkHosts.includes(navigation.host());
  return parentFrame.trusted && isFramed ? 'trusted' : 'untrusted';
}

/**
 * The target of a short link: on a short-link host any path leads to `/redirect/{last segment}` of the login host. `null`:
 * not a short-link host.
 */
export function shortLinkTarget(
  { host, pathname }: { readonly host: string; readonly pathname: string },
  { shortLinkHosts, signOnUrl }: Pick<AppConfig, 'shortLinkHosts' | 'signOnUrl'>,
): AllowedUrl | null {
  if (!shortLinkHosts.includes(host)) return null;
  // The segment is not decoded, so that it stays one segment.
  const segment = pathname.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return allowConfigured(segment === '' ? signOnUrl : `${signOnUrl}/redirect/${segment}`);
}
