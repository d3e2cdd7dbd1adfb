import { ExpiryWarning } from '@features/auth';
import { linkFollowed, selectLocation } from '@shared/routing/location.slice';
import { matchRoute } from '@shared/routing/matchRoute';
import { routes } from '@shared/routing/paths';
import { lazy, useMemo, type ComponentType } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { createPath, Route, Router, Routes, type Navigator, type To } from 'react-router-dom';
import { RouteGate } from './RouteGate.container';

type RoutedName = Exclude<keyof typeof routes, 'login'>;

const verifyIdentity = lazy(async () => ({
  default: (await import('@features/auth/verify-identity/VerifyIdentity.container')).VerifyIdentity,
}));
const resetPassword = lazy(async () => ({
  default: (await import('@features/password/save/ResetPassword.container')).ResetPassword,
}));

/** Which screen stands on which route, each as a chunk of its own. */
const screens: Record<RoutedName, ComponentType> = {
  twoAuth: lazy(async () => ({
    default: (await import('@features/auth/challenge/EnterCode.container')).EnterCode,
  })),
  oauthRedirect: lazy(async () => ({
    default: (await import('@features/auth/provider/OauthReturn.container')).OauthReturn,
  })),
  unauthorized: lazy(async () => ({
    default: (await import('@features/auth/magic-link/Unauthorized.container')).Unauthorized,
  })),
  forgotPassword: lazy(async () => ({
    default: (await import('@features/password/forgot/ForgotPassword.container')).ForgotPassword,
  })),
  resetPassword,
  reset: resetPassword,
  activate: lazy(async () => ({
    default: (await import('@features/password/save/Activate.container')).Activate,
  })),
  changePassword: lazy(async () => ({
    default: (await import('@features/password/save/ChangePassword.container')).ChangePassword,
  })),
  secretKey: lazy(async () => ({
    default: (await import('@features/auth/api-invite/ApiInvite.container')).ApiInvite,
  })),
  magicLink: lazy(async () => ({
    default: (await import('@features/auth/magic-link/MagicLink.container')).MagicLink,
  })),
  changeVerify: verifyIdentity,
  askPassword: verifyIdentity,
  mfaOptions: lazy(async () => ({
    default: (await import('@features/mfa/options/MfaOptions.container')).MfaOptionsScreen,
  })),
  phoneSetup: lazy(async () => ({
    default: (await import('@features/mfa/setup/PhoneSetup.container')).PhoneSetupScreen,
  })),
  appSetup: lazy(async () => ({
    default: (await import('@features/mfa/setup/AppSetup.container')).AppSetupScreen,
  })),
  setupCode: lazy(async () => ({
    default: (await import('@features/mfa/setup/SetupCode.container')).SetupCodeScreen,
  })),
  mfaActivated: lazy(async () => ({
    default: (await import('@features/mfa/activated/MfaActivated.container')).MfaActivatedScreen,
  })),
  accountSettings: lazy(async () => ({
    default: (await import('./pages/AccountSettings.container')).AccountSettings,
  })),
};

/**
 * Every screen but `/login`, under a router that is drawn from the store's location: a jump in DevTools moves the
 * screen. An address that is not in the table shows nothing; `flows/routeAccess.saga.ts` leads away from it.
 */
export function RoutedScreens() {
  const { pathname, search, key } = useSelector(selectLocation);
  const navigator = useStoreNavigator();
  // The library's own matching is looser, in capitals and slashes: what is no route to the sagas shows nothing.
  if (!matchRoute(pathname)) return null;
  return (
    <Router location={{ pathname, search, hash: '', key, state: null }} navigator={navigator}>
      <Routes>
        {(Object.keys(screens) as RoutedName[]).map((name) => {
          const Content = screens[name];
          const { pattern, access } = routes[name];
          const element = (
            <RouteGate access={access}>
              <ExpiryWarning />
              <Content />
            </RouteGate>
          );
          return <Route key={name} path={pattern} element={element} />;
        })}
        <Route path="*" element={null} />
      </Routes>
    </Router>
  );
}

/** Links become events; one saga writes history. */
function useStoreNavigator(): Navigator {
  const dispatch = useDispatch();
  return useMemo(() => {
    const pathOf = (to: To): string => (typeof to === 'string' ? to : createPath(to));
    return {
      createHref: pathOf,
      push: (to) => void dispatch(linkFollowed({ to: pathOf(to) })),
      replace: (to) => void dispatch(linkFollowed({ to: pathOf(to), replace: true })),
      go: () => {
        throw new Error('No screen goes back by history: back links lead to an address');
      },
    };
  }, [dispatch]);
}
