import { useDispatch } from 'react-redux';
import { linkFollowed } from './location.slice';

/** A link within the application, as screens take it. */
export interface AppLink {
  readonly href: string;
  readonly onFollow: () => void;
}

/** A link to one of our paths. */
export function useLink(to: string): AppLink {
  const dispatch = useDispatch();
  return { href: to, onFollow: () => void dispatch(linkFollowed({ to })) };
}
