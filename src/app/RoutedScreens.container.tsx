import { ExpiryWarning } from '@features/auth';
import { selectAccess } from '@features/session';
import { componentIn } from '@shared/chunk';
import type { Route as ScreenRoute } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { type ComponentType, type ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { Route, Routes, StaticRouter } from 'react-router-dom';
import { selectAreFlowsRunning } from './flows/flows.slice';
import type { RootState } from './rootReducer';
import { needsFlows, routes } from './routes';

const screens: Record<string, ComponentType> = {};

/** One component for each route, whose chunk is fetched at its first render. */
function screenOf(route: ScreenRoute): ComponentType {
  if ('screen' in route) return route.screen.Screen;
  return componentIn(route.chunk, ({ Screen }) => Screen);
}

/**
 * Every screen but `/login`, under a router that renders from the store's location: a jump in DevTools moves the
 * screen. Links are events (`useLink`), so that the router itself never navigates. An address that is not in the table shows
 * nothing; `runRoutes.saga.ts` leads away from it.
 */
export function RoutedScreens() {
  const { route, pathname, search, key } = useSelector(selectLocation);
  const shown = route === null ? undefined : routes[route];
  if (route === null || !shown) return null;
  const Content = (screens[route] ??= screenOf(shown));
  return (
    <StaticRouter location={{ pathname, search, key }}>
      <Routes>
        <Route
          path={shown.pattern}
          element={
            <RouteGate route={shown}>
              {needsFlows(shown) && <ExpiryWarning />}
              <Content />
            </RouteGate>
          }
        />
      </Routes>
    </StaticRouter>
  );
}

/**
 * Shows a screen only when its state exists, and to a user who may see it. Other users see nothing: `runRoutes.saga.ts` is
 * already redirecting them. `staysHere` is set at the end of a session whose screen remains.
 */
function RouteGate({ route, children }: { readonly route: ScreenRoute; readonly children: ReactNode }) {
  const { access } = route;
  const mayEnter = useSelector((state: RootState) => {
    const who = selectAccess(state);
    const isSetup = access === 'setup' && who.phase === 'setup';
    return access === 'public' || who.phase === 'active' || isSetup || 'staysHere' in who;
  });
  const isReady = useSelector(selectAreFlowsRunning) || !needsFlows(route);
  return mayEnter && isReady ? children : null;
}
