import { Login } from '@features/auth';
import { routes, type RouteName } from '@shared/routing/paths';
import { lazy, type ComponentType } from 'react';
import { Route, Routes } from 'react-router-dom';
import { RouteGate } from './RouteGate.container';

/**
 * Which screen stands on which route. `/login` comes with the first bundle, because it is where people wait; every
 * other screen is a chunk of its own.
 */
const screens: Partial<Record<RouteName, ComponentType>> = {
  login: Login,
  twoAuth: lazy(async () => ({
    default: (await import('@features/auth/challenge/EnterCode.container')).EnterCode,
  })),
  unauthorized: lazy(async () => ({
    default: (await import('@features/auth/magic-link/Unauthorized.container')).Unauthorized,
  })),
  accountSettings: lazy(async () => ({
    default: (await import('./pages/AccountSettings.container')).AccountSettings,
  })),
};

/** The route table. An address that is not in it shows nothing: `flows/routeAccess.saga.ts` leads away from it. */
export function AppRoutes() {
  return (
    <Routes>
      {(Object.keys(routes) as RouteName[]).map((name) => {
        const Screen = screens[name];
        return (
          Screen && (
            <Route
              key={name}
              path={routes[name].pattern}
              element={
                <RouteGate access={routes[name].access}>
                  <Screen />
                </RouteGate>
              }
            />
          )
        );
      })}
      <Route path="*" element={null} />
    </Routes>
  );
}
