import { linkFollowed } from '@shared/routing/location.slice';
import { useDispatch } from 'react-redux';
import { useHref } from 'react-router-dom';
import type { WayBack } from './SetupCard';

/** A link to an address of ours, as screens take it. */
export function useWay(to: string): WayBack {
  const dispatch = useDispatch();
  return { href: useHref(to), onFollow: () => void dispatch(linkFollowed({ to })) };
}
