import { DialogHost } from '@features/ui-dialogs';
import { ConfigContext } from '@shared/contexts';
import type { AppConfig } from '@shared/platform/appConfig';
import { Provider } from 'react-redux';
import { AppErrorBoundary } from './crash/Fallback.container';
import { Frame } from './Frame.container';
import type { AppStore } from './store';

/** What the application is drawn from. */
interface AppProps {
  readonly store: AppStore;
  readonly config: AppConfig;
}

/** The whole application. A function of the store and the configuration: rendering touches no port. */
export function App({ store, config }: AppProps) {
  return (
    <ConfigContext value={config}>
      <Provider store={store}>
        <AppErrorBoundary>
          <Frame />
          <DialogHost />
        </AppErrorBoundary>
      </Provider>
    </ConfigContext>
  );
}
