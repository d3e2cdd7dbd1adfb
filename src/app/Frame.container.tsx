import {
  backRequested,
  logoutRequested,
  selectAccess,
  selectEmbedding,
  sessionMessages,
} from '@features/session';
import { brandFor } from '@shared/brand/brand';
import { selectBrandFacts } from '@shared/brand/brand.slice';
import { useConfig } from '@shared/contexts';
import { selectLocation } from '@shared/routing/location.slice';
import { Header } from '@shared/ui/Header';
import { PageFrame } from '@shared/ui/PageFrame';
import { Suspense, type ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { selectHasCrashed } from './crash.slice';
import { Fallback } from './Fallback.container';
import { routes } from './routes';

/** What stands around every screen: the header in its variant, Back and Logout (specification §1, §4 Session). */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { brands } = useConfig();
  const { label, look } = brandFor(useSelector(selectBrandFacts), brands);
  const embedding = useSelector(selectEmbedding);
  const hasCrashed = useSelector(selectHasCrashed);
  const actions = useHeaderActions();
  // A stranger gets nothing to click (decisions §6).
  if (embedding === 'untrusted') return <p>{sessionMessages.untrustedParent}</p>;
  if (hasCrashed) return <Fallback />;
  const embedded = embedding !== 'none';
  return (
    <PageFrame look={look} embedded={embedded} header={<Header label={label} {...actions} />}>
      <Suspense fallback={null}>{children}</Suspense>
    </PageFrame>
  );
}

/** Back and Logout belong to somebody who is signed in; Back is hidden in a frame (specification §1). */
function useHeaderActions() {
  const dispatch = useDispatch();
  const { phase } = useSelector(selectAccess);
  const { route } = useSelector(selectLocation);
  const embedded = useSelector(selectEmbedding) !== 'none';
  const isSignedIn = phase === 'active' || phase === 'setup';
  if (!isSignedIn || !route || routes[route].access === 'public') return {};
  const logout = { label: sessionMessages.logout, onClick: () => void dispatch(logoutRequested()) };
  const back = { label: sessionMessages.back, onClick: () => void dispatch(backRequested()) };
  return embedded ? { logout } : { back, logout };
}
