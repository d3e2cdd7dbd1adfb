import { ExpiryWarning } from '@features/auth';
import { selectAccess } from '@features/session';
import { componentIn } from '@shared/chunk';
import { linkFollowed, selectLocation } from '@shared/routing/location.slice';
import type { RouteName } from '@vestibule/contract/paths';
import { useMemo, type ComponentType, type ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { createPath, Route, Router, Routes, type Navigator, type To } from 'react-router-dom';
import type { RootState } from './rootReducer';
import { routes, type RouteAccess } from './routes';

const screens: Partial<Record<RouteName, ComponentType>> = {};

/** One component for each route, whose chunk is fetched when it is drawn first. */
function screenOf(name: RouteName): ComponentType {
  const route = routes[name];
  if ('room' in route) return route.room.Screen;
  return componentIn(route.chunk, ({ Screen }) => Screen);
}

/**
 * Every screen but `/login`, under a router that is drawn from the store's location: a jump in DevTools moves the
 * screen. An address that is not in the table shows nothing; `runRoutes.saga.ts` leads away from it.
 */
export function RoutedScreens() {
  const { route, pathname, search, key } = useSelector(selectLocation);
  const navigator = useStoreNavigator();
  if (!route) return null;
  const Content = (screens[route] ??= screenOf(route));
  const { pattern, access } = routes[route];
  return (
    <Router location={{ pathname, search, hash: '', key, state: null }} navigator={navigator}>
      <Routes>
        <Route
          path={pattern}
          element={
            <RouteGate access={access}>
              <ExpiryWarning />
              <Content />
            </RouteGate>
          }
        />
      </Routes>
    </Router>
  );
}

/** Links become events; one saga writes history. */
function useStoreNavigator(): Navigator {
  const dispatch = useDispatch();
  return useMemo(() => {
    const pathOf = (to: To): string => (typeof to === 'string' ? to : createPath(to));
    return {
      createHref: pathOf,
      push: (to) => void dispatch(linkFollowed({ to: pathOf(to) })),
      replace: (to) => void dispatch(linkFollowed({ to: pathOf(to), replace: true })),
      go: () => {
        throw new Error('No screen goes back by history: back links lead to an address');
      },
    };
  }, [dispatch]);
}

/**
 * Shows a screen only to a user who may see it. Other users see nothing: `runRoutes.saga.ts` is already redirecting them.
 * `staysHere` is set at the end of a session whose screen remains.
 */
function RouteGate({ access, children }: { readonly access: RouteAccess; readonly children: ReactNode }) {
  const mayEnter = useSelector((state: RootState) => {
    const who = selectAccess(state);
    const isSetup = access === 'setup' && who.phase === 'setup';
    return access === 'public' || who.phase === 'active' || isSetup || 'staysHere' in who;
  });
  return mayEnter ? children : null;
}
