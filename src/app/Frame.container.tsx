import { Part, Steps } from '@shared/ui/page/Steps';
import { loginScreen } from '@features/auth';
import {
  backRequested,
  logoutRequested,
  selectEmbedding,
  selectPhase,
  sessionMessages,
} from '@features/session';
import { brandFor } from '@shared/brand/brand';
import { selectBrandFacts } from '@shared/brand/brand.slice';
import { componentIn, createChunk } from '@shared/chunk';
import { useConfig } from '@shared/contexts';
import { selectLocation } from '@shared/routing/location.slice';
import { Header, PageFrame } from '@shared/ui/page/PageFrame';
import { useDispatch, useSelector } from 'react-redux';
import { selectHasCrashed } from './crash/crash.slice';
import { FatalNotice, Fallback } from './crash/Fallback.container';
import { routes } from './routes';
import { Wait } from './Wait.container';

/** The frame around every screen: the header in its look, with Back and Logout. */
export function Frame() {
  const { brands } = useConfig();
  const { label, look } = brandFor(useSelector(selectBrandFacts), brands);
  const embedding = useSelector(selectEmbedding);
  const hasCrashed = useSelector(selectHasCrashed);
  const actions = useHeaderActions();
  // An untrusted parent gets nothing to click (docs/behaviour.md#embedding).
  if (embedding === 'untrusted') return <FatalNotice message={sessionMessages.untrustedParent} />;
  if (hasCrashed) return <Fallback />;
  const embedded = embedding !== 'none';
  return (
    <PageFrame look={look} embedded={embedded} header={<Header label={label} {...actions} />}>
      <Screen />
    </PageFrame>
  );
}

/** Back and Logout are for signed-in users; Back is hidden in a parent's frame (docs/behaviour.md#back-and-logout). */
function useHeaderActions() {
  const dispatch = useDispatch();
  const phase = useSelector(selectPhase);
  const { route } = useSelector(selectLocation);
  const embedded = useSelector(selectEmbedding) !== 'none';
  const isSignedIn = phase === 'active' || phase === 'setup';
  if (!isSignedIn || !route || routes[route]?.access === 'public') return {};
  const logout = { label: sessionMessages.logout, onClick: () => void dispatch(logoutRequested()) };
  const back = { label: sessionMessages.back, onClick: () => void dispatch(backRequested()) };
  return embedded ? { logout } : { back, logout };
}

const RoutedScreens = componentIn(
  createChunk(() => import(/* webpackChunkName: "screens" */ './RoutedScreens.container')),
  (module) => module.RoutedScreens,
);

/** The screen of the current address. `/login` is in the first bundle, without the router (docs/decisions.md). */
function Screen() {
  const route = useSelector(selectLocation).route ?? 'none';
  return (
    <>
      <Part>{route !== 'login' && <Wait />}</Part>
      <Steps step={route}>{route === 'login' ? <loginScreen.Screen /> : <RoutedScreens />}</Steps>
    </>
  );
}
