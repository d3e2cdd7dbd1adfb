import { Page } from '@app/App';
import { checkedConfig } from '@vestibule/contract/checkedConfig';
import type { ConfigResult } from '@vestibule/contract/pageConfig';
import type { ConfigRefusal } from '@vestibule/contract/pageConfigMessages';
import type { Support } from '@app/crash/eventLog';
import { FatalNotice } from '@app/crash/Fallback.container';
import { reportCrash } from '@app/crash/reportCrash';
import { callsOf, featuresOf } from '@app/features';
import { inject, type RootState } from '@app/rootReducer';
import { createAppStore, type DevTools } from '@app/store';
import { createApi } from '@shared/api/api';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { createChunk } from '@shared/chunk';
import { createBrowserPorts } from '@shared/ports/browser/createBrowserPorts';
import { keepForms } from '@shared/ports/browser/keepForms';
import { createLog } from '@shared/ports/browser/log';
import type { Ports } from '@shared/ports/ports';
import '@shared/ui/base.css';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';

const element = pageElement();

/**
 * Starts the page: reads the configuration, makes ports and store, starts the sagas, and renders, or hydrates the form that
 * `inlineLogin.ts` has shown.
 *
 * @param pause - called between two parts of the start
 */
export async function start(pause: () => unknown): Promise<void> {
  const parsed = await readConfig(document.getElementById('app-config'));
  if (!parsed.ok) {
    removeLateNotice();
    await refuseToStart(parsed.refusal);
    return;
  }
  const { config } = parsed;
  // The import is in the branch, so that a production build leaves the laboratory out.
  if (process.env['NODE_ENV'] === 'development' && isOfLaboratory(window.location)) {
    removeLateNotice();
    const { openLaboratory } = await import('@dev/lab');
    const ports = createBrowserPorts(config, window);
    for (const { early } of featuresOf(config)) await (await early?.load())?.prepare?.({ ...ports, config });
    openLaboratory(emptyRoot(), config, window);
    return;
  }
  const ports = createBrowserPorts(config, window);
  const devTools =
    process.env['NODE_ENV'] === 'development' || config.devTools ? await loadDevTools(ports) : undefined;
  await pause();
  const page = await startSagas(config, ports, devTools);
  removeLateNotice();
  await pause();
  draw(page);
}

/** Removes the notice of `inlineLogin.ts`. */
function removeLateNotice(): void {
  document.getElementById('late')?.remove();
}

/** Reads the configuration. The code that checks it is loaded only where the block has no valid mark. */
async function readConfig(block: HTMLElement | null): Promise<ConfigResult> {
  const text = block?.textContent ?? null;
  const build = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  const config = checkedConfig(text ?? '', block?.dataset['checked'], build);
  return config
    ? { ok: true, config }
    : (await createChunk(() => import('@vestibule/contract/pageConfig')).load()).parseConfig(text, {
        languages: document.getElementById('languages')?.textContent ?? null,
        head: document.head.innerHTML,
      });
}

function pageElement(): HTMLElement {
  const found = document.getElementById('root');
  if (!found) throw new Error("The page has no element 'root'");
  return found;
}

/** Removes the pre-rendered first step, visible or not, and creates a root in its place. */
function emptyRoot(): Root {
  element.replaceChildren();
  element.hidden = false;
  return createRoot(element);
}

/** Loads the chunk for Redux DevTools. The page starts without it if it cannot be loaded. */
async function loadDevTools(ports: Ports): Promise<DevTools | undefined> {
  const guard =
    process.env['NODE_ENV'] === 'development'
      ? (await import('@dev/devtools/rateGuard')).createRateGuard()
      : undefined;
  return await import('@dev/devtools/createDevTools').then(
    ({ createDevTools, createTimeTravelPage }) =>
      createDevTools(createTimeTravelPage(window, ports.navigation), guard),
    () => undefined,
  );
}

/** Starts the sagas, and returns what the page renders from. */
async function startSagas(config: AppConfig, ports: Ports, devTools: DevTools | undefined) {
  const { store, log, start: run } = createAppStore(devTools);
  const report: Support['report'] = (where, error) => reportCrash({ ...ports, config }, where, error);
  window.addEventListener('error', ({ error }) => report('unhandled', error));
  window.addEventListener('unhandledrejection', ({ reason }) => report('unhandled', reason));
  const features = featuresOf(config);
  const deps = {
    ...ports,
    config,
    report,
    features,
    api: createApi({
      calls: callsOf(features),
      serviceUrl: config.serviceUrl,
      clock: ports.clock,
      refreshGraceSeconds: config.refreshGraceSeconds,
      isHostReachable: ports.pageLife.isHostReachable,
    }),
  };
  for (const { name, early } of features) if (early) await (await inject(name, early)).prepare?.(deps);
  run(deps);
  return { store, config, support: { log, copy: ports.clipboard.copy, report }, vault: ports.vault };
}

function draw(page: Awaited<ReturnType<typeof startSagas>>): void {
  const drawnFrom = element.hidden || !element.firstChild ? null : firstStepOf(page.store.getState());
  if (drawnFrom) hydrate(<Page {...page} drawnFrom={drawnFrom} />);
  else emptyRoot().render(<Page {...page} />);
}

/**
 * Takes the form over from `inlineLogin.ts`, and submits it if Next was pressed before. If a translator or an extension has changed
 * the form, React draws a new one, which gets the typed text (docs/behaviour.md#before-the-code).
 */
function hydrate(page: ReactNode): void {
  const shown = element.querySelector('form');
  const putBack = keepForms();
  // Hydration is synchronous, so that nothing is typed meanwhile. If a translator or an extension has changed the form, that
  // is not an error of the page.
  flushSync(() => hydrateRoot(element, page, { onRecoverableError: () => undefined }));
  putBack();
  const isPressed = shown?.dataset['inlineLogin'] === 'pressed';
  delete shown?.dataset['inlineLogin'];
  if (!isPressed) return;
  shown.querySelector('[aria-busy]')?.removeAttribute('aria-busy');
  shown.querySelector('[readonly]')?.removeAttribute('readonly');
  element.querySelector('form')?.requestSubmit();
}

/**
 * The state with which the first step of `/login` was rendered; `null` if another screen is to be shown. An open dialog is
 * shown by the next render.
 */
function firstStepOf(state: RootState): RootState | null {
  const { location, crash } = state.page;
  const isShown = location.route === 'login' && state.auth.signIn.phase === 'username' && !crash;
  return isShown ? { ...state, 'ui-dialogs': [] } : null;
}

/** `/#lab`, `/#replay`, or any path with `?scenario=` (docs/development.md). */
function isOfLaboratory({ hash, search }: Location): boolean {
  return hash === '#lab' || hash === '#replay' || new URLSearchParams(search).has('scenario');
}

/** Shows which key of the configuration is wrong instead of starting (docs/behaviour.md#configuration). */
async function refuseToStart(refusal: ConfigRefusal): Promise<void> {
  const message = await import('@vestibule/contract/pageConfigMessages').then(
    ({ describeRefusal }) => describeRefusal(refusal),
    () => `${refusal.key}: ${refusal.fault}`,
  );
  createLog(window.console).error('configuration refused', new Error(message));
  emptyRoot().render(<FatalNotice message={message} />);
}
