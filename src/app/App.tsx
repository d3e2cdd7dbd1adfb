import { DialogHost } from '@features/ui-dialogs';
import type { Navigation } from '@shared/platform/platform';
import { ConfigContext } from '@shared/config/ConfigContext';
import type { AppConfig } from '@shared/platform/appConfig';
import { Provider } from 'react-redux';
import { AppErrorBoundary } from './AppErrorBoundary';
import { Frame } from './Frame.container';
import { StoreRouter } from './StoreRouter.container';
import { AppRoutes } from './AppRoutes';
import type { AppStore } from './store';

/** What the application is drawn from. */
interface AppProps {
  readonly store: AppStore;
  readonly config: AppConfig;
  readonly navigation: Navigation;
}

/** The whole application. A function of the store: rendering touches no port. */
export function App({ store, config, navigation }: AppProps) {
  return (
    <ConfigContext value={config}>
      <Provider store={store}>
        <AppErrorBoundary>
          <StoreRouter navigation={navigation}>
            <Frame>
              <AppRoutes />
            </Frame>
            <DialogHost />
          </StoreRouter>
        </AppErrorBoundary>
      </Provider>
    </ConfigContext>
  );
}
