import { useLingui } from '@lingui/react';
import { Part, Steps } from '@shared/ui/page/Steps';
import {
  backRequested,
  logoutRequested,
  selectAccess,
  selectEmbedding,
  selectPhase,
  sessionMessages,
} from '@features/session';
import { brandFor } from '@shared/brand/brand';
import { selectBrandFacts } from '@shared/brand/brand.slice';
import { componentIn, createChunk } from '@shared/chunk';
import { useConfig, useFeatures } from '@shared/contexts';
import type { Route as ScreenRoute, RouteAccess } from '@shared/deps';
import { selectLocation } from '@shared/routing/location.slice';
import { Header, PageFrame } from '@shared/ui/page/PageFrame';
import type { ComponentType, ReactNode } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Route, Routes } from 'react-router-dom';
import { selectHasCrashed } from './crash/crash.slice';
import { FatalNotice, Fallback } from './crash/Fallback.container';
import type { RootState } from './rootReducer';
import { needsFlows, routes } from './routes';
import { Wait } from './Wait.container';

/** The frame around every screen: the header in its look, with Back and Logout. */
export function Frame() {
  const { _ } = useLingui();
  const { brands } = useConfig();
  const { label, look, theme } = brandFor(useSelector(selectBrandFacts), brands);
  const embedding = useSelector(selectEmbedding);
  const hasCrashed = useSelector(selectHasCrashed);
  const early = useFeatures().flatMap((feature) => feature.early?.loaded() ?? []);
  const actions = useHeaderActions();
  // Under an untrusted parent the page has no controls (docs/behaviour.md#embedding).
  if (embedding === 'untrusted') return <FatalNotice message={_(sessionMessages.untrustedParent)} />;
  if (hasCrashed) return <Fallback />;
  const embedded = embedding !== 'none';
  return (
    <PageFrame
      look={look}
      theme={theme}
      embedded={embedded}
      header={<Header label={label} {...actions} />}
      footer={early.map(({ Foot }, index) => Foot && <Foot key={index} />)}
    >
      <Screen />
    </PageFrame>
  );
}

/** Back and Logout are for signed-in users; Back is hidden in a parent's frame (docs/behaviour.md#back-and-logout). */
function useHeaderActions() {
  const { _ } = useLingui();
  const dispatch = useDispatch();
  const phase = useSelector(selectPhase);
  const { route } = useSelector(selectLocation);
  const embedded = useSelector(selectEmbedding) !== 'none';
  const isSignedIn = phase === 'active' || phase === 'setup';
  if (!isSignedIn || !route || routes[route]?.access === 'public') return {};
  const logout = { label: _(sessionMessages.logout), onClick: () => void dispatch(logoutRequested()) };
  const back = { label: _(sessionMessages.back), onClick: () => void dispatch(backRequested()) };
  return embedded ? { logout } : { back, logout };
}

/** The screen of the current address. One that is not in the table shows nothing; `runRoutes.saga.ts` leads away from it. */
function Screen() {
  const route = useSelector(selectLocation).route ?? 'none';
  return (
    <>
      <Part>{route !== 'login' && <Wait />}</Part>
      <Steps step={route}>{route !== 'none' && <Routes>{screens.map(routeOf)}</Routes>}</Steps>
    </>
  );
}

const FlowsGate = componentIn(
  createChunk(() => import(/* webpackChunkName: "screens" */ './flows/FlowsGate.container')),
  (module) => module.FlowsGate,
);

const screens = Object.entries(routes).map(([name, route]) => ({ name, route, Content: contentOf(route) }));

const routeOf = ({ name, route: { pattern, access }, Content }: (typeof screens)[number]): ReactNode => (
  <Route
    key={name}
    path={pattern}
    caseSensitive
    element={
      <AccessGate access={access}>
        <Content />
      </AccessGate>
    }
  />
);

function contentOf(route: ScreenRoute): ComponentType {
  if (!needsFlows(route)) return route.screen.Screen;
  const Content = componentIn(route.chunk, ({ Screen }) => Screen);
  return () => (
    <FlowsGate>
      <Content />
    </FlowsGate>
  );
}

/**
 * Shows a screen only to a user who may see it. Other users see nothing: `runRoutes.saga.ts` is already redirecting them.
 * `staysHere` is set at the end of a session whose screen remains.
 */
function AccessGate({ access, children }: { readonly access: RouteAccess; readonly children: ReactNode }) {
  const mayEnter = useSelector((state: RootState) => {
    const who = selectAccess(state);
    const isSetup = access === 'setup' && who.phase === 'setup';
    return access === 'public' || who.phase === 'active' || isSetup || 'staysHere' in who;
  });
  return mayEnter ? children : null;
}
