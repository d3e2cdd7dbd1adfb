import { Login } from '@features/auth';
import { selectLocation } from '@shared/routing/location.slice';
import { matchRoute } from '@shared/routing/matchRoute';
import { lazy } from 'react';
import { useSelector } from 'react-redux';

const RoutedScreens = lazy(async () => ({
  default: (await import('./RoutedScreens.container')).RoutedScreens,
}));

/**
 * The screen of the current address. `/login` comes with the first bundle, because it is where people wait, and does
 * without the router, whose 10 kB (brotli) would be a tenth of what it loads (docs/decisions.md).
 */
export function Screen() {
  const { pathname } = useSelector(selectLocation);
  return matchRoute(pathname)?.name === 'login' ? <Login /> : <RoutedScreens />;
}
