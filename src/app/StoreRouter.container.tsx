import { linkFollowed, selectLocation } from '@shared/routing/location.slice';
import { useMemo, type ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { createPath, Router, type Navigator, type To } from 'react-router-dom';

/**
 * A router over the store's location, so that a jump in DevTools moves the screen. A link that is followed is an event;
 * `runRoutes.saga.ts` writes it to the history.
 */
export function StoreRouter({ children }: { readonly children: ReactNode }) {
  const location = useSelector(selectLocation);
  const dispatch = useDispatch();
  const navigator = useMemo((): Navigator => {
    const follow = (to: To) => void dispatch(linkFollowed({ to: pathOf(to) }));
    return { createHref: pathOf, push: follow, replace: follow, go: refuse };
  }, [dispatch]);
  return (
    <Router location={location} navigator={navigator}>
      {children}
    </Router>
  );
}

const pathOf = (to: To): string => (typeof to === 'string' ? to : createPath(to));

function refuse(): never {
  throw new Error('Only sagas go back in the history');
}
