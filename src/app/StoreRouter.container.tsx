import type { Navigation } from '@shared/platform/platform';
import { selectLocation } from '@shared/routing/location.slice';
import { useMemo, type ReactNode } from 'react';
import { useSelector } from 'react-redux';
import { createPath, Router, type Navigator } from 'react-router-dom';

/**
 * The router, drawn from the store's location, so that a jump in DevTools moves the screen. Links write history
 * through the navigation port; the port's news comes back as `location/changed`.
 */
export function StoreRouter({
  navigation,
  children,
}: {
  readonly navigation: Navigation;
  readonly children: ReactNode;
}) {
  const { pathname, search, hash, key } = useSelector(selectLocation);
  const navigator = useMemo(() => navigatorOver(navigation), [navigation]);
  return (
    <Router location={{ pathname, search, hash, key, state: null }} navigator={navigator}>
      {children}
    </Router>
  );
}

function navigatorOver(navigation: Navigation): Navigator {
  const write =
    (how: 'push' | 'replace'): Navigator['push'] =>
    (to, state: unknown) =>
      void navigation[how](typeof to === 'string' ? to : createPath(to), state);
  return {
    createHref: (to) => (typeof to === 'string' ? to : createPath(to)),
    push: write('push'),
    replace: write('replace'),
    // The application only ever goes back by one: there is no forward link in it.
    go: () => void navigation.back(),
  };
}
