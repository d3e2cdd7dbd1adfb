import type { Feature, Route } from '@shared/deps';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { features, featuresOf } from './features';

const routesIn = (some: readonly Feature[]): Readonly<Record<string, Route>> =>
  Object.assign({}, ...some.map(({ routes }) => routes)) as Readonly<Record<string, Route>>;

/** Every screen of the application, by the name of its route (docs/behaviour.md#route-table). */
export const routes = routesIn(features);

/** The screens whose state and sagas are part of the flows: all except those of a sign-in, which are in the first bundle. */
export const needsFlows = (route: Route): route is Extract<Route, { readonly chunk: unknown }> =>
  'chunk' in route;

/** A route of the table, and the parameters of its pattern, percent-encoded. */
export interface RouteMatch {
  readonly name: string;
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Finds the route of a path; `null`: no route of the table. The only matcher: react-router's ignores capitals and slashes, and is
 * not in the first bundle (docs/decisions.md).
 */
export function matchRoute(pathname: string, some = routes): RouteMatch | null {
  for (const [name, route] of Object.entries(some)) {
    const params = matchPattern(route.pattern, pathname);
    if (params && (!route.exact || pathname === route.pattern)) return { name, route, params };
  }
  return null;
}

/** As {@link matchRoute}, without the routes of extensions that the service does not offer. */
export const matchOffered = (pathname: string, config: Pick<AppConfig, 'extensions'>): RouteMatch | null =>
  matchRoute(pathname, routesIn(featuresOf(config)));

/** The values of the `:names` in a pattern; `null`: the path does not match it. */
export function matchPattern(pattern: string, pathname: string): Record<string, string> | null {
  const segments = pathname.replace(/\/+$/, '').split('/').slice(1);
  const wanted = pattern.split('/').slice(1);
  if (wanted.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const segment = segments[index] ?? '';
    if (part.startsWith(':') && segment !== '') params[part.slice(1)] = segment;
    else if (part !== segment) return null;
  }
  return params;
}
