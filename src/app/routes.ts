import type { Feature, Route } from '@shared/deps';
import { matchPath, type Params } from 'react-router-dom';
import { features } from './features';

const routesOf = (some: readonly Feature[]): Readonly<Record<string, Route>> =>
  Object.assign({}, ...some.map(({ routes }) => routes)) as Readonly<Record<string, Route>>;

/** Every screen of the application, by the name of its route (docs/behaviour.md#route-table). */
export const routes = routesOf(features);

/** The screens whose state and sagas are part of the flows: all except those of a sign-in, which are in the first bundle. */
export const needsFlows = (route: Route): route is Extract<Route, { readonly chunk: unknown }> =>
  'chunk' in route;

/** An entry of the table, and the parameters of the address. */
export interface RouteMatch {
  readonly name: string;
  readonly route: Route;
  readonly params: Params;
}

/**
 * The entry of a path in the table; `null`: none. The sagas use it, because react-router's `<Routes>` decodes a path before it
 * matches, and each route has one spelling.
 *
 * @param some - whose routes are looked at; an extension that the service does not offer has none
 */
export function findRoute(pathname: string, some: readonly Feature[] = features): RouteMatch | null {
  for (const [name, route] of Object.entries(routesOf(some))) {
    const match = matchPath({ path: route.pattern, caseSensitive: true }, pathname);
    if (match && (!route.exact || pathname === route.pattern)) return { name, route, params: match.params };
  }
  return null;
}
