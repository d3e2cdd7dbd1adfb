import { App } from '@app/App';
import { parseConfig } from '@app/config/config';
import type { ConfigRefusal } from '@app/config/config.messages';
import { FatalNotice } from '@app/crash/Fallback.container';
import type { DevTools } from '@app/devtools/createDevTools';
import { createAppStore } from '@app/store';
import { createApi } from '@shared/api/api';
import type { AppConfig } from '@shared/platform/appConfig';
import { createBrowserPlatform } from '@shared/platform/browser/createBrowserPlatform';
import { createLog } from '@shared/platform/browser/log';
import type { Platform } from '@shared/platform/platform';
import '@shared/ui/base.css';
import { VaultContext } from '@shared/contexts';
import { StrictMode } from 'react';
import { createRoot, type Root } from 'react-dom/client';

const element = document.getElementById('root');
if (!element) throw new Error("The page has no element 'root'");
const root = createRoot(element);
const parsed = parseConfig(document.getElementById('app-config')?.textContent ?? null);
if (!parsed.ok) void refuseToStart(root, parsed.refusal);
// The import is in the branch, so that a production build leaves the laboratory out.
else if (process.env['NODE_ENV'] === 'development' && isOfLaboratory(window.location))
  void import('@app/lab').then(({ openLaboratory }) => openLaboratory(root, parsed.config, window));
else if (process.env['NODE_ENV'] === 'development' || parsed.config.devTools)
  void startWithDevTools(root, parsed.config);
else start(root, parsed.config, createBrowserPlatform(parsed.config, window));

/** What Redux DevTools needs is a chunk of its own. Without it the page starts all the same. */
async function startWithDevTools(root: Root, config: AppConfig): Promise<void> {
  const platform = createBrowserPlatform(config, window);
  const guard =
    process.env['NODE_ENV'] === 'development'
      ? (await import('@app/devtools/rateGuard')).createRateGuard()
      : undefined;
  const devTools = await import('@app/devtools/createDevTools').then(
    ({ createDevTools, createPastPage }) =>
      createDevTools(createPastPage(window, platform.navigation), guard),
    () => undefined,
  );
  start(root, config, platform, devTools);
}

/** Order of the start: configuration, ports, store, sagas, first paint. */
function start(root: Root, config: AppConfig, platform: Platform, devTools?: DevTools): void {
  const { store, log, start: startSagas } = createAppStore(devTools);
  startSagas({
    ...platform,
    config,
    api: createApi({
      serviceUrl: config.serviceUrl,
      clock: platform.clock,
      refreshGraceSeconds: config.refreshGraceSeconds,
      isOnline: platform.pageLife.isOnline,
    }),
  });
  root.render(
    <StrictMode>
      <VaultContext value={platform.vault}>
        <App store={store} config={config} support={{ log, copy: platform.clipboard.copy }} />
      </VaultContext>
    </StrictMode>,
  );
}

/** `/#lab`, `/#replay`, or any path with `?scenario=` (docs/time-travel.md). */
function isOfLaboratory({ hash, search }: Location): boolean {
  return hash === '#lab' || hash === '#replay' || new URLSearchParams(search).has('scenario');
}

/** No half-configured start: the message names the key (docs/behaviour.md#configuration). */
async function refuseToStart(root: Root, refusal: ConfigRefusal): Promise<void> {
  const message = await import('@app/config/config.messages').then(
    ({ describeRefusal }) => describeRefusal(refusal),
    () => `${refusal.key}: ${refusal.fault}`,
  );
  createLog(window.console).error('configuration refused', new Error(message));
  root.render(<FatalNotice message={message} />);
}
