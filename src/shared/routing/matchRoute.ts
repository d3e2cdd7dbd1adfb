import { routes, type RouteName, type RouteRule } from './paths';

/** A route of ours and the parameters of its pattern, still percent-encoded. */
export interface RouteMatch {
  readonly name: RouteName;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the route of a path; a trailing slash makes no difference but where a route is exact. `null`: no route of ours. */
export function matchRoute(pathname: string): RouteMatch | null {
  for (const name of Object.keys(routes) as RouteName[]) {
    const { pattern, exact }: RouteRule = routes[name];
    const params = matchPattern(pattern, pathname);
    if (params && (!exact || pathname === pattern)) return { name, params };
  }
  return null;
}

/** Matches one pattern; answers with the values of its `:names`, or `null`. */
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
