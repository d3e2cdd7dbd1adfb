import { loginRoom } from '@features/auth';
import { selectLocation } from '@shared/routing/location.slice';
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
  return useSelector(selectLocation).route === 'login' ? <loginRoom.Screen /> : <RoutedScreens />;
}
