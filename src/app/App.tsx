import { DialogHost } from '@features/ui-dialogs';
import { ConfigContext } from '@shared/contexts';
import type { AppConfig } from '@shared/platform/appConfig';
import { Provider } from 'react-redux';
import { SupportContext, type Support } from './crash/eventLog';
import { AppErrorBoundary, Details } from './crash/Fallback.container';
import { Frame } from './Frame.container';
import type { AppStore } from './store';

/** What the application is drawn from. */
interface AppProps {
  readonly store: AppStore;
  readonly config: AppConfig;
  readonly support?: Support | undefined;
}

/** The whole application. A function of the store and the configuration: rendering touches no port. */
export function App({ store, config, support }: AppProps) {
  return (
    <ConfigContext value={config}>
      <SupportContext value={support ?? null}>
        <Provider store={store}>
          <AppErrorBoundary>
            <Frame />
            <DialogHost details={support && <Details />} />
          </AppErrorBoundary>
        </Provider>
      </SupportContext>
    </ConfigContext>
  );
}
