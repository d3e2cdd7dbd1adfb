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
 * Starts what runs as long as the page does, each part under supervision, and last the table of screens: the session is known
 * before the first address is dispatched. All of it runs before the first paint.
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

  yield* call(supervise, deps, 'reload', () => reload(deps));
  yield* call(supervise, deps, 'look', function* () {
    yield* takeEvery(locationChanged, keepLook, deps);
  });
  // Before the cookies are read: the browser may have let the frame share them on an earlier visit.
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

/** For the next page of this tab, which may open at an address without the query. */
function* keepLook(
  { storage }: Deps,
  { payload: { search } }: ReturnType<typeof locationChanged>,
): SagaGenerator<void> {
  if (Object.keys(readBrandQuery(search)).length > 0)
    storage.tab.write(brandKey, writeBrandQuery(yield* select(selectBrandFacts)));
}

/** At an address that is never framed, no parent is trusted. Routes are compared exactly, so its segment needs no decoding. */
function embeddingOf({ parentFrame, navigation, config }: Deps): Embedding {
  if (!parentFrame.embedded) return 'none';
  const [, segment = ''] = navigation.current().pathname.split('/');
  const isFramed = !unframedSegments.has(segment) && !config.shortLinkHosts.includes(navigation.host());
  return parentFrame.trusted && isFramed ? 'trusted' : 'untrusted';
}

/**
 * Target of a short link: on a short-link host any path means `/redirect/{last segment}` of the login host. `null`: not a
 * short-link host.
 */
export function shortLinkTarget(
  { host, pathname }: { readonly host: string; readonly pathname: string },
  { shortLinkHosts, signOnUrl }: Pick<AppConfig, 'shortLinkHosts' | 'signOnUrl'>,
): AllowedUrl | null {
  if (!shortLinkHosts.includes(host)) return null;
  // Not decoded: one segment stays one segment.
  const segment = pathname.replace(/\/+$/, '').split('/').at(-1) ?? '';
  return allowConfigured(segment === '' ? signOnUrl : `${signOnUrl}/redirect/${segment}`);
}
