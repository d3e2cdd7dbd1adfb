import { recording } from '../../support/devToolsRecorder';
import { App } from '@app/App';
import { createDevTools } from '@dev/devtools/createDevTools';
import { flowsStarted } from '@app/flows/flows.slice';
import { features } from '@app/features';
import { injectEveryReducer } from '@dev/lab/everyReducer';
import { methodStepChunk } from '@features/auth/sign-in/methodStepChunk';
import { methodsLoaded, usernameSubmitted } from '@features/auth/sign-in/signIn.slice';
import { challengeIssued } from '@features/auth/token-response/tokenResponse';
import { profileLoaded, profileRequested, sessionStarted } from '@features/session';
import { frameStorageChanged } from '@features/session/session.slice';
import { decodeClaims } from '@features/session/claims';
import { dialogAnswered, selectTopDialog } from '@features/ui-dialogs';
import { createAppStore, type AppStore } from '@app/store';
import { routes } from '@app/routes';
import { VaultContext } from '@shared/contexts';
import { createTimeTravelPage } from '@dev/devtools/timeTravelPage';
import { locationChanged } from '@shared/routing/location.slice';
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { now, secrets } from './markedSecrets';
import { methods, testConfig, userAttributes } from '../../support/builders';
import { fakeBrowser, type FakeDeps } from '../../support/fakeDeps';
import { pass, settle } from '../../support/openApp';
import type { Drive, Journey } from './journeys';

/** A call of a port: when, which, with what. */
export type PortCall = readonly [at: number, name: string, given: string];

/** A journey in a drawn application. */
export interface AppWithDevTools {
  readonly deps: FakeDeps;
  readonly drive: Drive;
  readonly calls: readonly PortCall[];
  /** The present, whatever DevTools shows. */
  readonly present: AppStore['getState'];
  readonly shown: AppStore['getState'];
  /** The markup of what is drawn now. */
  readonly screen: () => string;
  /** What was drawn right after each event, by the event's number in the log. */
  readonly drawn: ReadonlyMap<number, string>;
  /** Calls of `focus` that reached the browser, and timers that were started. */
  readonly effects: () => { readonly focus: number; readonly timers: number };
  readonly close: () => void;
}

const draw = (root: Root, store: AppStore, config = testConfig()) => {
  flushSync(() => {
    // Keys and codes are in the vault, which is empty in the past: so it is here in the present.
    root.render(
      <VaultContext value={{ get: () => undefined }}>
        <App store={store} config={config} />
      </VaultContext>,
    );
  });
};

const flush = () => {
  flushSync(() => undefined);
};

/** Loads every part of the application that is loaded lazily, so that what is drawn depends on the state alone. */
export async function loadEveryScreen(): Promise<void> {
  const { store } = createAppStore();
  const root = createRoot(document.createElement('div'));
  const claims = decodeClaims(secrets.session);
  if (!claims) throw new Error('The session of the tests has no claims');
  await methodStepChunk.load();
  for (const { late } of features) await late?.load();
  injectEveryReducer();
  store.dispatch(flowsStarted());
  store.dispatch(sessionStarted(claims));
  store.dispatch(usernameSubmitted({ username: 'ada', rememberMe: false }));
  store.dispatch(methodsLoaded([methods.basic]));
  store.dispatch(profileRequested());
  store.dispatch(profileLoaded(userAttributes({ isTextActive: true })));
  store.dispatch(
    challengeIssued({ username: 'ada', method: 'basic', secondStep: 'app', authyId: null, uid: null }),
  );
  draw(root, store, testConfig({ extensions: features.map(({ name }) => name) }));
  const loaded = () => new Promise((resolve) => setTimeout(resolve, 5));
  for (const [route, { pattern }] of Object.entries(routes)) {
    const pathname = pattern.replace(/:\w+/, 'enable');
    store.dispatch(locationChanged({ route, pathname, search: '', key: route }));
    for (let times = 0; times < 4; times += 1) {
      flush();
      await loaded();
    }
  }
  store.dispatch(frameStorageChanged({ phase: 'partitioned' }));
  await loaded();
  flush();
  root.unmount();
}

/** Opens the application for a journey; with DevTools, everything that is drawn is noted. */
export async function openWithDevTools(
  journey: Journey,
  { devTools }: { readonly devTools: boolean },
): Promise<AppWithDevTools> {
  const calls: PortCall[] = [];
  jest.setSystemTime(now);
  const effects = watchBrowser();
  const browser = fakeBrowser();
  const deps = journey.open(browser);
  // The bar of the page's own window goes where the fake history goes.
  const goAlong = () => {
    history.replaceState(null, '', deps.navigation.address());
  };
  goAlong();
  deps.navigation.subscribe(goAlong);
  const past = createTimeTravelPage(window, deps.navigation);
  const page = { ...past, navigation: noteCalls(past.navigation, calls, 'navigation.') };
  const { store, start } = createAppStore(devTools ? createDevTools(page) : undefined);
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const drawn = new Map<number, string>();
  draw(root, store, deps.config);
  const screen = () => {
    flush();
    return markupOf(container);
  };
  const note = () => {
    drawn.set(recording.ids().at(-1) ?? 0, screen());
  };
  if (devTools) note();
  if (devTools)
    store.subscribe(() => {
      if (recording.isAtEnd()) note();
    });
  start(noteCalls(deps, calls));
  await settle();
  flush();
  const present = () =>
    devTools ? (recording.present() as ReturnType<AppStore['getState']>) : store.getState();
  const after = async () => {
    await settle();
    flush();
  };
  const drive: Drive = {
    deps,
    browser,
    act: async (action) => {
      store.dispatch(action);
      await after();
    },
    pass: async (ms) => {
      await pass(ms);
      flush();
    },
    confirm: async () => {
      const top = selectTopDialog(present());
      if (!top) throw new Error('No dialog is open');
      store.dispatch(dialogAnswered({ id: top.id, confirmed: true }));
      await after();
    },
    happen: async (what) => {
      what();
      await after();
    },
  };
  return {
    deps,
    drive,
    calls,
    present,
    shown: store.getState,
    screen,
    drawn,
    effects: effects.effects,
    close: () => {
      root.unmount();
      container.remove();
      jest.clearAllTimers();
      effects.restore();
    },
  };
}

/** The same ports, noting every call with its time and what it was given. */
function noteCalls<T extends object>(ports: T, calls: PortCall[], name = ''): T {
  return new Proxy(ports, {
    get: (target, key, receiver) => {
      const member: unknown = Reflect.get(target, key, receiver);
      const path = `${name}${String(key)}`;
      if (typeof member === 'object' && member !== null) return noteCalls(member, calls, `${path}.`);
      if (typeof member !== 'function') return member;
      return (...given: readonly unknown[]): unknown => {
        calls.push([Date.now(), path, JSON.stringify(given)]);
        return Reflect.apply(member, target, given);
      };
    },
  });
}

/** What a page does without using its ports: counted where it reaches the browser. */
function watchBrowser() {
  const { focus } = HTMLElement.prototype;
  const { showModal } = HTMLDialogElement.prototype;
  const focused = jest.spyOn(HTMLElement.prototype, 'focus');
  const timers = [
    jest.spyOn(globalThis, 'setTimeout'),
    jest.spyOn(globalThis, 'setInterval'),
    jest.spyOn(globalThis, 'requestAnimationFrame'),
  ];
  return {
    effects: () => ({
      focus: focused.mock.calls.length,
      timers: timers.reduce((sum, { mock }) => sum + mock.calls.length, 0),
    }),
    restore: () => {
      for (const spy of timers) spy.mockRestore();
      Object.assign(HTMLElement.prototype, { focus });
      Object.assign(HTMLDialogElement.prototype, { showModal });
      history.replaceState(null, '', '/');
    },
  };
}

/** Markups by what the page answers with, which is quick to get. */
const markups = new Map<string, string>();

/**
 * All that the accessible tree is made from, so that equal texts have equal trees; without the focus. Attributes are in
 * the order of their names, and the ids that React counts up are numbered in theirs.
 */
function markupOf(page: HTMLElement): string {
  const controls = [...page.querySelectorAll<HTMLInputElement>('input, select, textarea')]
    .map(({ value, checked, disabled }) => `${value}|${String(checked)}|${String(disabled)}`)
    .join('\n');
  const ids = new Map<string, string>();
  // Of the two groups of `Steps`, either may be in use.
  const shown = page.innerHTML.replaceAll('<div role="group" class="part"></div>', '');
  const html = shown.replace(/_r_[0-9a-z]+_/g, (id) => {
    ids.set(id, ids.get(id) ?? `id-${String(ids.size)}`);
    return ids.get(id) ?? id;
  });
  const given = [page.ownerDocument.title, controls, html].join('\n');
  const known = markups.get(given) ?? inOrder(given);
  markups.set(given, known);
  return known;
}

const inOrder = (markup: string): string =>
  markup.replace(/<(\w+)((?: [\w-]+="[^"]*")+)>/g, (_tag, name: string, attributes: string) => {
    const each = [...attributes.matchAll(/ [\w-]+="[^"]*"/g)].map(([attribute]) => attribute);
    return `<${name}${each
      .filter((attribute) => !attribute.startsWith(' data-focused'))
      .sort()
      .join('')}>\n`;
  });
