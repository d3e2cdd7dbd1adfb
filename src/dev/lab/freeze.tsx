import { english, pageTexts } from '@shared/texts';
import { App } from '@app/App';
import { selectHasCrashed } from '@app/crash/crash.slice';
import type { Support } from '@app/crash/eventLog';
import { rootReducer, type RootState } from '@app/rootReducer';
import { sessionMessages } from '@features/session';
import { configureStore, createAction, Tuple } from '@reduxjs/toolkit';
import { VaultContext } from '@shared/contexts';
import type { AppConfig } from '@vestibule/contract/appConfig';
import { features } from '@app/features';
import type { Vault, VaultContents } from '@shared/ports/vault';
import { flushSync } from 'react-dom';
import type { Root } from 'react-dom/client';

/** How the page around a state is displayed. */
export interface View {
  /** `undefined`: as the browser prefers. */
  readonly scheme?: 'light' | 'dark' | undefined;
  readonly dir?: 'ltr' | 'rtl' | undefined;
}

/** The real components over a store that only reducers change, without sagas and ports. */
interface FrozenApp {
  /** Draws a state from its beginning, as a page that has just been opened. */
  readonly draw: (state: RootState, view?: View) => void;
  /** Moves the rendered page to another state, as a jump in DevTools does. */
  readonly move: (state: RootState) => void;
}

const stateGiven = createAction<RootState>('lab/stateGiven');

/** The secrets that screens show. */
const shownSecrets: Partial<VaultContents> = {
  authenticatorKey: {
    code: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    url: 'otpauth://totp/Payments:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Payments',
  },
  apiInvite: {
    apiKey: 'key_5f0c2a8b4e7d4d6fb1c9',
    apiSecret: 'secret_9d1e3c5b7a9f4e2d8c6b0a1f3e5d7c9b1a3f5e7d',
  },
  ...(Object.assign({}, ...features.map(({ scenarios }) => scenarios?.secrets)) as Partial<VaultContents>),
};
const vault: Pick<Vault, 'get'> = {
  get: (key) => shownSecrets[key],
};

/** 'Copy details' is shown and copies nothing. */
const support: Support = {
  log: { start: () => undefined, events: [] },
  copy: () => Promise.resolve(true),
  report: () => undefined,
};

/** Makes a page that shows states and does nothing. @param adopted style sheets in addition to those that the document links. */
export function freeze(
  root: Root,
  config: AppConfig,
  document: Document,
  adopted: readonly CSSStyleSheet[] = [],
): FrozenApp {
  stayHere(document);
  const prefer = schemeOf(document, adopted);
  const store = configureStore({
    reducer: (state: RootState | undefined, action) =>
      stateGiven.match(action) ? action.payload : rootReducer(state, action),
    middleware: () => new Tuple(),
    devTools: false,
  });
  // The direction of the language of the page.
  const { dir: written } = document.documentElement;
  let drawings = 0;
  const draw: FrozenApp['draw'] = (state, { scheme, dir } = {}) => {
    drawings += 1;
    prefer(scheme);
    document.documentElement.dir = written;
    store.dispatch(stateGiven(state));
    flushSync(() => {
      root.render(
        <VaultContext key={drawings} value={vault}>
          <App store={store} config={config} support={support} />
        </VaultContext>,
      );
    });
    // The application has written the direction of its language.
    if (dir !== undefined) document.documentElement.dir = dir;
  };
  return {
    draw,
    move: (state) => {
      // The boundary of a screen that threw shows the fallback message until it is mounted again.
      const hasThrown =
        !selectHasCrashed(store.getState()) &&
        document.body.textContent.includes((pageTexts.shown ?? english)._(sessionMessages.fallback));
      if (drawings === 0 || hasThrown) draw(state);
      else store.dispatch(stateGiven(state));
    },
  };
}

/** Links and forms lead nowhere, because the addresses of a recording are not to be trusted. */
function stayHere(document: Document): void {
  const stop = (event: Event): void => {
    if (event.type === 'submit' || (event.target as Element).closest('a')) event.preventDefault();
  };
  for (const type of ['click', 'auxclick', 'submit']) document.addEventListener(type, stop, true);
}

const dark = '(prefers-color-scheme: dark)';

/**
 * A page cannot set `prefers-color-scheme`. So the media rules for the dark scheme are changed to apply always or never, also
 * in style sheets that are loaded later.
 */
function schemeOf(document: Document, adopted: readonly CSSStyleSheet[]): (scheme: View['scheme']) => void {
  const rules = new Set<CSSMediaRule>();
  let media = dark;
  const apply = (): void => {
    for (const rule of [...document.styleSheets, ...adopted].flatMap(({ cssRules }) => [...cssRules]))
      if ('media' in rule && (rule as CSSMediaRule).media.mediaText === dark) rules.add(rule as CSSMediaRule);
    for (const rule of rules) rule.media.mediaText = media;
  };
  document.addEventListener('load', apply, true);
  return (scheme) => {
    media = scheme ? { dark: 'all', light: 'not all' }[scheme] : dark;
    document.documentElement.style.colorScheme = scheme ?? '';
    apply();
  };
}
