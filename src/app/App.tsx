import { DialogHost } from '@features/ui-dialogs';
import { I18nProvider } from '@lingui/react';
import { ConfigContext, FeaturesContext, useFeatures, VaultContext } from '@shared/contexts';
import { english } from '@shared/texts';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { ScreenTitle } from '@shared/brand/ScreenTitle.container';
import type { Vault } from '@shared/ports/vault';
import { StrictMode, useMemo, type ReactNode } from 'react';
import { Provider } from 'react-redux';
import { SupportContext, type Support } from './crash/eventLog';
import { AppErrorBoundary, Details } from './crash/Fallback.container';
import { featuresOf } from './features';
import { Frame } from './Frame.container';
import type { RootState } from './rootReducer';
import { StoreRouter } from './StoreRouter.container';
import type { AppStore } from './store';

/** What the application renders from. */
interface AppProps {
  readonly store: AppStore;
  readonly config: AppConfig;
  readonly support?: Support | undefined;
  /** The state that the pre-rendered markup shows. React hydrates the markup with it. Absent if there is no such markup. */
  readonly drawnFrom?: RootState | undefined;
}

/** The application; in development, inside React's strict mode. */
export function Page({ vault, ...app }: AppProps & { readonly vault: Vault }) {
  return (
    <StrictMode>
      <VaultContext value={vault}>
        <App {...app} />
      </VaultContext>
    </StrictMode>
  );
}

/** The whole application. It renders from the store and the configuration only, and uses no port. */
export function App({ store, config, support, drawnFrom }: AppProps) {
  return (
    <ConfigContext value={config}>
      <FeaturesContext value={useMemo(() => featuresOf(config), [config])}>
        <SupportContext value={support ?? null}>
          <Provider store={store} {...(drawnFrom && { serverState: drawnFrom })}>
            <Language>
              <AppErrorBoundary>
                {/* Before the screen, whose title replaces this one. */}
                <ScreenTitle />
                <StoreRouter>
                  <Frame />
                </StoreRouter>
                <DialogHost details={support && <Details />} />
              </AppErrorBoundary>
            </Language>
          </Provider>
        </SupportContext>
      </FeaturesContext>
    </ConfigContext>
  );
}

/** In English if no feature offers other languages. */
function Language({ children }: { readonly children: ReactNode }) {
  const [Offered] = useFeatures().flatMap(({ early }) => early?.loaded()?.Translated ?? []);
  return Offered ? <Offered>{children}</Offered> : <I18nProvider i18n={english}>{children}</I18nProvider>;
}
